/** A copy of a page as it is shown, in one file: its styles and pictures, without scripts and addresses that load. */

/** A larger copy is not made. */
export const COPY_LIMIT = 15_000_000;
const PICTURE_LIMIT = 2_000_000;
const PICTURES = 200;
const PICTURE_MS = 5_000;
/** What runs, loads or sends something, and what is not shown. */
const REMOVED =
  "script, noscript, template, iframe, frame, object, embed, applet, base, meta, link, style, source, track, audio, video, portal, fencedframe";
/** Attributes that load or send something. */
const LOADING = new Set(
  "src srcset href xlink:href action formaction ping poster background data srcdoc style imagesrcset".split(
    " ",
  ),
);
const URL_IN_CSS = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^)"'\s]+))\s*\)/gi;
const IMPORTS = /@import[^;]*;/gi;

type Page = { document: Document; fetch: typeof fetch };

/** The HTML of the copy; null if it would be too large. */
export async function copyOf(page: Page): Promise<string | null> {
  const { document } = page;
  const pictures = new Pictures(page);
  const copy = document.implementation.createHTMLDocument(document.title);
  const root = copy.importNode(document.documentElement, true);
  const [originals, copies] = [all(document.documentElement), all(root)];
  for (const [n, element] of copies.entries()) {
    const original = originals[n];
    if (original) await clean(element, original, pictures);
  }
  for (const element of root.querySelectorAll(REMOVED)) element.remove();
  const styles = await stylesOf(document, pictures);
  const head =
    root.querySelector("head") ?? root.insertBefore(copy.createElement("head"), root.firstChild);
  head.prepend(charset(copy), title(copy, document.title));
  for (const css of styles) head.append(styleElement(copy, css));
  const html = `<!doctype html>\n${root.outerHTML}`;
  return html.length > COPY_LIMIT ? null : html;
}

function all(root: Element): Element[] {
  return [root, ...root.querySelectorAll("*")];
}

function charset(copy: Document): HTMLMetaElement {
  const meta = copy.createElement("meta");
  meta.setAttribute("charset", "utf-8");
  return meta;
}

function title(copy: Document, text: string): HTMLTitleElement {
  const element = copy.createElement("title");
  element.textContent = text;
  return element;
}

function styleElement(copy: Document, css: string): HTMLStyleElement {
  const element = copy.createElement("style");
  element.textContent = css;
  return element;
}

/** Removes what loads or runs from an element, and puts its picture into it. */
async function clean(element: Element, original: Element, pictures: Pictures): Promise<void> {
  const picture = original instanceof HTMLImageElement ? await pictures.ofImage(original) : null;
  const style = original.getAttribute("style");
  const href = original instanceof HTMLAnchorElement ? original.href : "";
  for (const { name } of [...element.attributes]) {
    const isInside = element.getAttribute(name)?.startsWith("#");
    if (/^on/i.test(name) || (LOADING.has(name.toLowerCase()) && !isInside))
      element.removeAttribute(name);
  }
  if (picture) element.setAttribute("src", picture);
  if (style) element.setAttribute("style", await pictures.inCss(style, document.baseURI));
  if (/^https?:/.test(href)) element.setAttribute("href", href);
  keepTyped(element, original);
}

/** What a person chose in a form is shown; what they typed is theirs and is left out. */
function keepTyped(element: Element, original: Element): void {
  if (original instanceof HTMLInputElement) element.removeAttribute("value");
  if (original instanceof HTMLTextAreaElement) element.textContent = "";
}

async function stylesOf(document: Document, pictures: Pictures): Promise<string[]> {
  const sheets = [...document.styleSheets, ...document.adoptedStyleSheets];
  const styles: string[] = [];
  for (const sheet of sheets) {
    if (sheet.disabled) continue;
    const css = rulesOf(sheet);
    // Fonts are large, and others are installed everywhere.
    const kept = css.filter((rule) => !rule.startsWith("@font-face")).join("\n");
    const text = await pictures.inCss(kept, sheet.href ?? document.baseURI);
    const media = sheet.media.mediaText;
    if (text) styles.push(media ? `@media ${media} {\n${text}\n}` : text);
  }
  return styles;
}

/** The rules of a style sheet with those that it imports; none if another site does not show them. */
function rulesOf(sheet: CSSStyleSheet): string[] {
  try {
    return [...sheet.cssRules].flatMap((rule) =>
      rule instanceof CSSImportRule
        ? rule.styleSheet
          ? rulesOf(rule.styleSheet)
          : []
        : rule.cssText,
    );
  } catch {
    return [];
  }
}

/** Pictures that the page has loaded, as data addresses. */
class Pictures {
  private readonly known = new Map<string, Promise<string | null>>();

  constructor(private readonly page: Page) {}

  async ofImage(image: HTMLImageElement): Promise<string | null> {
    const isShown = image.complete && image.naturalWidth > 1 && image.naturalHeight > 1;
    return isShown ? this.read(image.currentSrc || image.src) : null;
  }

  /** Style rules with their pictures in them, and without any other address. */
  async inCss(css: string, base: string): Promise<string> {
    const text = css.replace(IMPORTS, "");
    const parts: string[] = [];
    let end = 0;
    for (const match of text.matchAll(URL_IN_CSS)) {
      const found = match[1] ?? match[2] ?? match[3] ?? "";
      const data = await this.read(absolute(found, base));
      parts.push(text.slice(end, match.index), data ? `url("${data}")` : "none");
      end = match.index + match[0].length;
    }
    return [...parts, text.slice(end)].join("");
  }

  private read(address: string): Promise<string | null> {
    if (address.startsWith("data:image/")) return Promise.resolve(address);
    if (!/^(https?|blob):/.test(address)) return Promise.resolve(null);
    let picture = this.known.get(address);
    if (!picture && this.known.size < PICTURES) {
      picture = this.fetchPicture(address).catch(() => null);
      this.known.set(address, picture);
    }
    return picture ?? Promise.resolve(null);
  }

  private async fetchPicture(address: string): Promise<string | null> {
    const isOwn = new URL(address).origin === this.page.document.location.origin;
    const reply = await this.page.fetch(address, {
      cache: "force-cache",
      credentials: isOwn ? "include" : "omit",
      signal: AbortSignal.timeout(PICTURE_MS),
    });
    const picture = await reply.blob();
    const isPicture = reply.ok && picture.type.startsWith("image/");
    return isPicture && picture.size <= PICTURE_LIMIT ? dataAddress(picture) : null;
  }
}

function absolute(address: string, base: string): string {
  try {
    return new URL(address, base).href;
  } catch {
    return "";
  }
}

function dataAddress(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
