import { describe, expect, test } from "vitest";
import { extractTwitter } from "@/lib/capture/twitter";

const post = (id: number, handle: string, text: string, tab = "0") =>
  `<article data-testid="tweet" tabindex="${tab}"><div data-testid="User-Name"><span>${handle}</span><span>@${handle}</span>
   <a href="/${handle}/status/${id}"><time datetime="2026-01-01T00:00:00Z"></time></a></div><div data-testid="tweetText">${text}</div></article>`;

function page(path: string, ...posts: string[]) {
  const parsed = new DOMParser().parseFromString(`<body>${posts.join("")}</body>`, "text/html");
  return { document: parsed, url: new URL(`https://x.com${path}`), fetch };
}

describe("a post of X", () => {
  test("is the open one, not the first", async () => {
    const extracted = await extractTwitter(
      page("/ada/status/2", post(1, "bob", "Question"), post(2, "ada", "Answer", "-1")),
    );
    expect(extracted?.content.startsWith("**ada (@ada)**")).toBe(true);
    expect(extracted?.content).toContain("In reply to:\n\n> **bob (@bob)**\n> Question");
  });

  test("is extracted by its id if it is not marked", async () => {
    const extracted = await extractTwitter(
      page("/ada/status/2", post(1, "bob", "Question"), post(2, "ada", "Answer")),
    );
    expect(extracted?.metadata?.status_id).toBe("2");
  });

  test("a thread ends at a post of another author", async () => {
    const posts = [
      post(1, "ada", "one", "-1"),
      post(2, "ada", "two"),
      post(3, "eve", "spam"),
      post(4, "ada", "four"),
    ];
    const extracted = await extractTwitter(page("/ada/status/1", ...posts));
    expect(extracted?.content).toContain("two");
    expect(extracted?.content).not.toContain("spam");
    expect(extracted?.metadata?.thread_length).toBe(2);
  });

  test("other pages and other sites are not extracted", async () => {
    expect(await extractTwitter(page("/home", post(1, "bob", "x")))).toBeNull();
    expect(
      await extractTwitter({
        ...page("/a/status/1", post(1, "a", "x")),
        url: new URL("https://notx.com/a/status/1"),
      }),
    ).toBeNull();
  });
});
