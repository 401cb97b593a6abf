/** What only the page itself knows, since a copy is never shown: what is visible, and how large. */

/** Smaller pictures are icons. */
const ICON_PX = 33;
/** Never shown, and read all the same. */
const UNSEEN = new Set(
  "HTML HEAD BODY TITLE META LINK BASE STYLE SCRIPT NOSCRIPT TEMPLATE SOURCE".split(" "),
);

/** Of a page that is too large to be read whole, what is not shown is left out first. */
export function isLeftOut(element: Element): boolean {
  if (UNSEEN.has(element.nodeName) || typeof element.checkVisibility !== "function") return false;
  if (Element.prototype.checkVisibility.call(element)) return false;
  // Formulas are written beside the picture of them.
  if (element.nodeName === "math" || element.firstElementChild?.nodeName === "math") return false;
  // Such an element has no box of its own; what is in it has.
  return getComputedStyle(element).display !== "contents";
}

const WRAPPERS = new Set(
  "DIV SPAN SECTION ARTICLE MAIN HEADER FOOTER ASIDE FONT CENTER".split(" "),
);

/** Only a box around others, without a text of its own. */
export function isWrapper(element: Element): boolean {
  if (!WRAPPERS.has(element.nodeName)) return false;
  for (let child = element.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === Node.TEXT_NODE && child.nodeValue?.trim()) return false;
  }
  return true;
}

export function markIcon(element: Element, twin: Element): void {
  // A picture that is not loaded is shown as a small box, whatever its size.
  if (element instanceof HTMLImageElement && !element.naturalWidth) return;
  const { width, height } = element.getBoundingClientRect();
  if (width > 0 && width < ICON_PX) twin.setAttribute("width", String(Math.round(width)));
  if (height > 0 && height < ICON_PX) twin.setAttribute("height", String(Math.round(height)));
}
