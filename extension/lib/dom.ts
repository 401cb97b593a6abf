/** Access to DOM properties through their prototypes. A page can hide the properties of its document, for
 * example with a form that is named `body` or `createElement`. */

export const createElement = <K extends keyof HTMLElementTagNameMap>(
  document: Document,
  name: K,
): HTMLElementTagNameMap[K] =>
  Document.prototype.createElement.call(document, name) as HTMLElementTagNameMap[K];

export const rootOf = (document: Document): HTMLElement =>
  read<HTMLElement>(Document.prototype, "documentElement", document);

export const bodyOf = (document: Document): HTMLElement | null =>
  read<HTMLElement | null>(Document.prototype, "body", document);

export const typeOf = (document: Document): string =>
  read<string | undefined>(Document.prototype, "contentType", document) ?? "";

export const activeOf = (root: Document | ShadowRoot): Element | null =>
  root instanceof Document
    ? read<Element | null>(Document.prototype, "activeElement", root)
    : root.activeElement;

/** A form can have fields with these names, which hide its properties. */
export const typeOfNode = (node: Node): number => read<number>(Node.prototype, "nodeType", node);

export const attributesOf = (element: Element): NamedNodeMap =>
  read<NamedNodeMap>(Element.prototype, "attributes", element);

export const shadowOf = (element: Element): ShadowRoot | null =>
  read<ShadowRoot | null>(Element.prototype, "shadowRoot", element) ?? null;

export const runCommand = (document: Document, name: string, value?: string): boolean =>
  Document.prototype.execCommand.call(document, name, false, value);

/** The visible text. A form can have a field named `innerText`. */
export const shownText = (element: HTMLElement): string => {
  const text: unknown = read(HTMLElement.prototype, "innerText", element);
  return typeof text === "string" ? text : "";
};

function read<T>(prototype: object, name: string, from: object): T {
  return Object.getOwnPropertyDescriptor(prototype, name)?.get?.call(from) as T;
}

/** `querySelector` can be hidden in the same way. */
export function find<T extends Element>(root: Document | Element, selector: string): T | null {
  const owner = root instanceof Document ? Document.prototype : Element.prototype;
  return owner.querySelector.call(root, selector) as T | null;
}

export function findAll<T extends Element>(root: Document | Element, selector: string): T[] {
  const owner = root instanceof Document ? Document.prototype : Element.prototype;
  return [...owner.querySelectorAll.call(root, selector)] as T[];
}
