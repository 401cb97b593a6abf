/** Removes code that writes HTML into a page from the build: two libraries have such code, which is not needed. */

import type { Plugin } from "vite";

type Change = { file: RegExp; from: string; to: string };

// Both parse the text in a separate document, in which nothing loads and nothing runs.
const PARSE_FRAGMENT =
  'return t.importNode(new DOMParser().parseFromString("<template>"+e+"</template>","text/html").querySelector("template").content,!0)';
const PARSE_ENTITIES =
  'return new DOMParser().parseFromString("<textarea>"+e.replace(/<\\/textarea/gi,"")+"</textarea>","text/html").querySelector("textarea").value';

const CHANGES: Change[] = [
  {
    file: /defuddle\/dist\/index\.full\.js/,
    from: 'const r=t.createElement("template");if(r.innerHTML=e,r.content)return r.content;const n=t.createElement("div");n.innerHTML=e;const o=t.createDocumentFragment();for(;n.firstChild;)o.appendChild(n.firstChild);return o',
    to: PARSE_FRAGMENT,
  },
  {
    file: /defuddle\/dist\/index\.full\.js/,
    from: 'const r=t.createElement("textarea");return r.innerHTML=e,r.value',
    to: PARSE_ENTITIES,
  },
  // Only for `dangerouslySetInnerHTML`, which the extension does not use.
  {
    file: /react-dom-client\.production\.js/,
    from: "domElement.innerHTML = key",
    to: "domElement.textContent = key",
  },
];

export function withoutHtml(): Plugin {
  return {
    name: "without-html",
    enforce: "pre",
    transform(code, id) {
      const changes = CHANGES.filter(({ file }) => file.test(id));
      if (!changes.length) return;
      return changes.reduce((text, change) => replaceIn(text, change, id), code);
    },
  };
}

/** Replace a part of the code; fails if a new version of the library has changed it. */
function replaceIn(code: string, { from, to }: Change, id: string): string {
  if (!code.includes(from)) throw new Error(`${id} has changed; see without-html.ts`);
  return code.replaceAll(from, () => to);
}
