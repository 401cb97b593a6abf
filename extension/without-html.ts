/** No line of the build writes HTML into a page: two libraries do, where we do not need it. */

import type { Plugin } from "vite";

type Change = { file: RegExp; from: string; to: string };

// Both parse a text in a document of its own, in which nothing loads and nothing runs.
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
  // Only for `dangerouslySetInnerHTML`, which no page of ours uses.
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
      return changes.reduce((text, change) => replaced(text, change, id), code);
    },
  };
}

/** A new version of the library has to be looked at again. */
function replaced(code: string, { from, to }: Change, id: string): string {
  if (!code.includes(from)) throw new Error(`${id} has changed; see without-html.ts`);
  return code.replaceAll(from, () => to);
}
