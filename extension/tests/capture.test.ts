import { describe, expect, test } from "vitest";
import { BATCH, collect, POSTS_LIMIT } from "@/lib/capture/bookmarks";
import { exportOf } from "@/lib/capture/gdocs";
import { cleanAddress } from "@/lib/capture/page";
import { textFragment } from "@/lib/capture/selection";
import { CONTENT_LIMIT, cut, type TextDraft } from "@/lib/draft";
import { BUILT_IN, parseComposers } from "@/lib/insert/composer";
import type { Post } from "@/lib/messages";

const draft: TextDraft = {
  kind: "text",
  title: "",
  content: "",
  contentType: "text",
  url: "https://a.example/",
  metadata: {},
};

describe("addresses", () => {
  test.each([
    ["https://a.example/x?utm_source=b&id=7&fbclid=9#part", "https://a.example/x?id=7"],
    ["https://user:secret@a.example/x", "https://a.example/x"],
    ["https://a.example/#/route", "https://a.example/#/route"],
    ["https://a.example/?q=a%26b", "https://a.example/?q=a%26b"],
  ])("%s", (address, clean) => expect(cleanAddress(new URL(address))).toBe(clean));

  test("a text fragment escapes characters with a meaning", () => {
    expect(textFragment("a well-known, old text")).toBe(
      "#:~:text=a%20well%2Dknown%2C%20old%20text",
    );
    expect(textFragment("one two three four five six seven eight nine ten eleven")).toBe(
      "#:~:text=one%20two%20three%20four%20five,seven%20eight%20nine%20ten%20eleven",
    );
  });

  test.each([
    ["/document/d/abc_1/edit", "/document/d/abc_1/export?format=md"],
    ["/document/u/0/d/abc/edit", "/document/d/abc/export?format=md"],
    ["/spreadsheets/d/abc/edit#gid=12", "/spreadsheets/d/abc/export?format=csv&gid=12"],
    ["/presentation/d/abc/edit", "/presentation/d/abc/export/txt"],
  ])("%s is exported", (path, expected) =>
    expect(exportOf(new URL(`https://docs.google.com${path}`))?.path).toBe(expected),
  );
});

describe("a cut", () => {
  test("is made at 100,000 characters, never inside one, and reported", () => {
    expect(cut({ ...draft, content: "x".repeat(CONTENT_LIMIT) }).cutFrom).toBeUndefined();
    const long = cut({ ...draft, content: `${"x".repeat(CONTENT_LIMIT - 1)}🛶 and more` });
    expect(long.content).toHaveLength(CONTENT_LIMIT - 1);
    expect(long.cutFrom).toBe(CONTENT_LIMIT + 10);
    expect(long.metadata.cut_from_characters).toBe(CONTENT_LIMIT + 10);
  });

  test("of a page with too many elements is reported without a number", () => {
    const part = cut({ ...draft, content: "a few words", cutFrom: 20_000 });
    expect(part).toMatchObject({ notice: "too_large", metadata: { is_part: true } });
    expect(part.cutFrom).toBeUndefined();
  });
});

describe("the table of composers", () => {
  test("is accepted from the server only with valid rows", () => {
    expect(parseComposers(BUILT_IN)).toEqual(BUILT_IN);
    expect(parseComposers({ composers: [] })).toBeUndefined();
    expect(
      parseComposers([{ name: "x", hosts: "all", selectors: [], paste: true }]),
    ).toBeUndefined();
    expect(
      parseComposers([{ name: "x", hosts: [], selectors: [() => 1], paste: true }]),
    ).toBeUndefined();
  });
});

describe("collecting bookmarks", () => {
  const posts = (from: number, count: number): Post[] =>
    Array.from({ length: count }, (_none, place) => ({ id: String(from + place), draft }));

  async function run(
    known: (id: string) => boolean,
    total: number,
    stopAfter = Number.POSITIVE_INFINITY,
  ) {
    let shown = 0;
    const sent: string[][] = [];
    const result = await collect({
      // The page shows a window of posts; those scrolled past are gone from it.
      read: () => posts(shown, Math.min(8, total - shown)),
      send: async (batch) => {
        sent.push(batch.map(({ id }) => id));
        const added = batch.filter(({ id }) => !known(id)).length;
        return { added, known: batch.length - added };
      },
      scroll: async () => {
        shown += 5;
        return shown < total;
      },
      isStopped: () => sent.length >= stopAfter,
      onProgress: () => undefined,
    });
    return { result, sent };
  }

  test("each post is sent once, to the end", async () => {
    const { result, sent } = await run(() => false, 53);
    expect(result).toEqual({ added: 53, known: 0 });
    expect(new Set(sent.flat()).size).toBe(53);
    expect(sent.every((batch) => batch.length <= BATCH)).toBe(true);
  });

  test("ends at a batch without new posts", async () => {
    const { sent } = await run((id) => Number(id) >= 10, 400);
    expect(sent).toHaveLength(2);
  });

  test("ends at the limit, and when it is stopped", async () => {
    expect((await run(() => false, 5_000)).result.added).toBe(POSTS_LIMIT);
    expect((await run(() => false, 5_000, 3)).sent).toHaveLength(3);
  });
});
