import { describe, expect, test } from "vitest";
import { extractYoutube } from "@/lib/capture/youtube";

const LINES = [
  ["0:01", "Welcome to the mill."],
  ["0:07", "The big wheel turns six times a minute."],
];

const segment = ([time, line]: string[]) =>
  `<ytd-transcript-segment-renderer><div class="segment-timestamp">${time}</div>
   <yt-formatted-string class="segment-text">${line}</yt-formatted-string></ytd-transcript-segment-renderer>`;

const panel = (segments: string) =>
  `<ytd-engagement-panel-section-list-renderer target-id="engagement-panel-searchable-transcript">
   <div id="segments-container">${segments}</div></ytd-engagement-panel-section-list-renderer>`;

function page(body: string) {
  const heading = `<h1 class="title">A water mill</h1><div id="description">All its wheels.</div>`;
  const text = `<html><head><title>A water mill - YouTube</title></head><body>${heading}${body}</body></html>`;
  const document = new DOMParser().parseFromString(text, "text/html");
  const offline = () => Promise.reject(new TypeError("offline"));
  return { document, url: new URL("https://www.youtube.com/watch?v=mill1"), fetch: offline };
}

const times = (text: string | undefined, part: string) => (text ?? "").split(part).length - 1;

describe("a video", () => {
  test.each([
    ["that the library reads", panel(LINES.map(segment).join(""))],
    ["that only the page has", `<main>${LINES.map(segment).join("")}</main>`],
  ])("has a transcript %s once", async (_name, body) => {
    const extracted = await extractYoutube(page(body));
    expect(times(extracted?.content, "## Transcript")).toBe(1);
    expect(times(extracted?.content, "six times a minute")).toBe(1);
    expect(extracted?.content).toMatch(/\*\*0:07\*\* .*The big wheel/);
    expect(times(extracted?.content, "All its wheels.")).toBe(1);
    expect(extracted?.metadata?.transcript).toBe(true);
    expect(extracted?.notice).toBeUndefined();
  });

  test("without a transcript says so", async () => {
    const extracted = await extractYoutube(page("<main><p>Comments are turned off.</p></main>"));
    expect(extracted?.notice).toBe("no_transcript");
    expect(extracted?.metadata?.transcript).toBe(false);
  });
});
