import { describe, expect, test } from "vitest";
import { BLOCK_END, BLOCK_START, removeBlocks, writeBlock } from "@/lib/insert/block";

const PARTS = [
  "a",
  " ",
  "\n",
  "[",
  "]",
  "\\",
  "-",
  "(",
  ")",
  "</memory>",
  BLOCK_START,
  BLOCK_END,
  "é",
  "日",
  "🛶",
];

/** The same texts on every run. */
function texts(count: number): string[] {
  let seed = 7;
  const next = (limit: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % limit;
  };
  const text = () => Array.from({ length: next(12) }, () => PARTS[next(PARTS.length)]).join("");
  return Array.from({ length: count }, text);
}

describe("the block", () => {
  test("has one line for each memory, between two constant lines", () => {
    const hits = [{ text: "The dentist moved to Friday,\nat nine.", date: "2026-11-02" }];
    expect(writeBlock(hits)).toBe(
      "[From my memory, remem]\n- The dentist moved to Friday, at nine. (2026-11-02)\n[End of memory]",
    );
  });

  test("is removed exactly, whatever the memories contain", () => {
    for (const text of texts(2_000)) {
      const block = writeBlock([
        { text, date: "2026-11-02" },
        { text: `${text}!`, date: "" },
      ]);
      expect(removeBlocks(`before\n${block}\nafter`)).toBe("before\nafter");
    }
  });

  test("is recognized after Markdown has escaped its brackets", () => {
    const escaped =
      "Hello\n\n\\[From my memory, remem\\]\n\n- x (2026)\n\n\\[End of memory\\]\n\nbye";
    expect(removeBlocks(escaped)).toBe("Hello\n\n\nbye");
  });

  test("many starts without an end are read once", () => {
    const text = BLOCK_START.repeat(200_000);
    expect(removeBlocks(text)).toBe(text);
    expect(removeBlocks(`${text}${BLOCK_END}rest`)).toBe("rest");
  });

  test("is not removed without its end, so that nothing of the user's text is lost", () => {
    expect(removeBlocks(`${BLOCK_START} and then my own text`)).toContain("my own text");
  });
});
