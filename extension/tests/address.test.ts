import { afterEach, expect, test, vi } from "vitest";
import { findServer, parseBase } from "@/lib/server/address";

afterEach(() => vi.unstubAllGlobals());

/** A host whose only remem is at `base`; its other addresses answer as another program does. */
function serveAt(base: string): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    return url === `${base}/health`
      ? Response.json({ status: "ok", checks: {}, version: "0.1.0" })
      : new Response("<html></html>", { status: 404 });
  });
  return asked;
}

test.each([
  ["home.example/remem/", "https://home.example/remem"],
  ["localhost:8080", "http://localhost:8080"],
  ["https://home.example:8443/a/b?x=1#y", "https://home.example:8443/a/b"],
])("the address %s is %s", (typed, base) => {
  expect(parseBase(typed)).toBe(base);
});

test.each([
  ["https://home.example/remem", "https://home.example/remem"],
  ["https://home.example/remem", "https://home.example/remem/settings/connections?tab=1"],
  ["https://home.example", "https://home.example/dashboard"],
])("the server %s is found from %s", async (base, typed) => {
  serveAt(base);
  expect(await findServer(typed)).toBe(base);
});

test("a host without a server is refused after its last path", async () => {
  const asked = serveAt("https://elsewhere.example");
  await expect(findServer("https://home.example/a/b")).rejects.toMatchObject({ code: "not_remem" });
  expect(asked).toHaveLength(3);
});
