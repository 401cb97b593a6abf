/** The text of an element: images as their alternative text, blocks on separate lines. */

const BLOCKS = new Set(["P", "DIV", "LI", "UL", "OL", "PRE", "BLOCKQUOTE", "SECTION", "TR"]);

export function textOf(root: Node): string {
  return collect(root)
    .replace(/[ \t]+\n/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

function collect(node: Node): string {
  if (node.nodeType === 3) return node.nodeValue ?? "";
  if (node.nodeType !== 1 && node.nodeType !== 11) return "";
  const name = node.nodeName;
  if (name === "BR") return "\n";
  if (name === "IMG") return (node as Element).getAttribute("alt") ?? "";
  if (name === "SCRIPT" || name === "STYLE" || name === "NOSCRIPT" || name === "TEMPLATE")
    return "";
  const inner = [...node.childNodes].map(collect).join("");
  return BLOCKS.has(name) ? `\n${inner}\n` : inner;
}
