/** A copy of the page in which nothing loads and nothing runs: defuddle changes what it reads. */

import { findAll } from "./page";

/** Smaller pictures are icons; only the page itself knows how large they are shown. */
const ICON_PX = 33;

export function inertCopy(document: Document): Document {
  const copy = Node.prototype.cloneNode.call(document, true) as Document;
  const copies = findAll(copy, "*");
  findAll(document, "*").forEach((element, index) => {
    const twin = copies[index];
    if (!twin) return;
    if (element.shadowRoot) twin.prepend(shadowCopy(element.shadowRoot, copy));
    if (/^(img|svg)$/i.test(element.nodeName)) markIcon(element, twin);
  });
  return copy;
}

/** As a page writes it down, which defuddle reads; a copy of an element has no shadow root. */
function shadowCopy(root: ShadowRoot, copy: Document): HTMLTemplateElement {
  const template = copy.createElement("template");
  template.setAttribute("shadowrootmode", "open");
  for (const child of root.childNodes) {
    // Into the document of the template, in which nothing loads either.
    const twin = template.content.ownerDocument.importNode(child, true);
    template.content.append(twin);
  }
  const hosts = [...root.querySelectorAll("*")];
  const twins = [...template.content.querySelectorAll("*")];
  hosts.forEach(({ shadowRoot }, index) => {
    if (shadowRoot) twins[index]?.prepend(shadowCopy(shadowRoot, copy));
  });
  return template;
}

function markIcon(element: Element, twin: Element): void {
  // A picture that is not loaded is shown as a small box, whatever its size.
  if (element instanceof HTMLImageElement && !element.naturalWidth) return;
  const { width, height } = element.getBoundingClientRect();
  if (width > 0 && width < ICON_PX) twin.setAttribute("width", String(Math.round(width)));
  if (height > 0 && height < ICON_PX) twin.setAttribute("height", String(Math.round(height)));
}
