/** What Markdown adds to a text; group 1 and 2 are what is left out around it. */
const MARKERS = [
  /^[ \t]*((?:#{1,6}|>|[-*+](?: \[[ xX]\])?) +)/gm,
  /(!?\[)[^\]\n]*(\]\([^()\s]*(?:\([^()\s]*\))?[^()\s]*(?: +"[^"\n]*")?\))/g,
  /(<)https?:\/\/[^\s<>]+(>)/g,
  /(?<!\\)(\*{2,3})(?=[^\s*])[^\n]+?(?<=\S)(\*{2,3})/g,
  /(?<![\p{L}\p{N}_])(__)(?=\S)(?:(?!__)[^\n])* (?:(?!__)[^\n])*(__)(?![\p{L}\p{N}_])/gu,
  /(?<![\p{L}\p{N}*\\])(\*)(?=[^\s*])[^*\n]+?(?<=[^\s*])(\*)(?![\p{L}\p{N}*])/gu,
  /(?<![\p{L}\p{N}_\\])(_)(?=[^\s_])[^_\n]+?(?<=[^\s_])(_)(?![\p{L}\p{N}_])/gu,
  /(\\)[*_`#[\]|~]/g,
];
const CODE = /(`+)(?!`)[^`\n]+(`+)/g;

export type Plain = { text: string; start: number; end: number };

/** A text without Markdown syntax, and where a part of it is then. */
export function plainText(text: string, start = 0, end = 0): Plain {
  const isLeftOut = new Uint8Array(text.length);
  const isCode = new Uint8Array(text.length);
  for (const match of text.matchAll(CODE)) {
    isCode.fill(1, match.index, match.index + match[0].length);
    leaveOut(match, isLeftOut);
  }
  for (const marker of MARKERS)
    for (const match of text.matchAll(marker)) if (!isCode[match.index]) leaveOut(match, isLeftOut);
  const kept = Array.from({ length: text.length }, (_, at) => at).filter((at) => !isLeftOut[at]);
  return {
    text: kept.map((at) => text[at]).join(""),
    start: kept.filter((at) => at < start).length,
    end: kept.filter((at) => at < end).length,
  };
}

function leaveOut(match: RegExpMatchArray, isLeftOut: Uint8Array): void {
  const [whole, before = "", after = ""] = match;
  const from = (match.index ?? 0) + whole.indexOf(before);
  const to = (match.index ?? 0) + whole.length;
  isLeftOut.fill(1, from, from + before.length);
  isLeftOut.fill(1, to - after.length, to);
}
