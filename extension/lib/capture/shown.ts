/** What only the rendered page knows, and not its copy: which elements are visible, and their size. */

/** Images smaller than this are icons. */
const ICON_PX = 33;
/** Elements that are never visible but are read. */
const ALWAYS_READ = new Set(
  "HTML HEAD BODY TITLE META LINK BASE STYLE SCRIPT NOSCRIPT TEMPLATE SOURCE".split(" "),
);

/** Whether to leave out a hidden element of a page that is too large to read completely. */
export function isLeftOut(element: Element): boolean {
  if (ALWAYS_READ.has(element.nodeName) || typeof element.checkVisibility !== "function")
    return false;
  if (Element.prototype.checkVisibility.call(element)) return false;
  // MathML is often hidden beside a picture of the formula.
  if (element.nodeName === "math" || element.firstElementChild?.nodeName === "math") return false;
  // An element with `display: contents` has no box, but its children have.
  return getComputedStyle(element).display !== "contents";
}

const WRAPPERS = new Set(
  "DIV SPAN SECTION ARTICLE MAIN HEADER FOOTER ASIDE FONT CENTER".split(" "),
);

/** Whether an element only wraps others and has no text of its own. */
export function isWrapper(element: Element): boolean {
  if (!WRAPPERS.has(element.nodeName)) return false;
  for (let child = element.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === Node.TEXT_NODE && child.nodeValue?.trim()) return false;
  }
  return true;
}

/** Copy the size of a small image, so that the parser recognizes it as an icon. */
export function markIcon(element: Element, copy: Element): void {
  // An image that is not loaded is rendered as a small box, whatever its size.
  if (element instanceof HTMLImageElement && !element.naturalWidth) return;
  const { width, height } = element.getBoundingClientRect();
  if (width > 0 && width < ICON_PX) copy.setAttribute("width", String(Math.round(width)));
  if (height > 0 && height < ICON_PX) copy.setAttribute("height", String(Math.round(height)));
}
