import { expect, test } from "vitest";
import { createRemem, type Options } from "../src/index.js";
import { client } from "./server.js";

type Trouble = () => Response;

const refused = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ error: "Not now.", code: "unavailable" }, { status, headers });

/** Trouble for the first requests; the others reach the server. */
function after(...troubles: Trouble[]): { options: Options; sent: () => number } {
  let sent = 0;
  const options: Options = {
    fetch: async (request) => {
      const trouble = troubles[sent];
      sent += 1;
      return trouble ? trouble() : fetch(request);
    },
  };
  return { options, sent: () => sent };
}

test("a server that is busy is asked again, and what is sent is whole", async () => {
  const { options, sent } = after(
    () => refused(429, { "Retry-After": "0" }),
    () => refused(503),
    () => {
      throw new TypeError("fetch failed");
    },
  );
  const saved = await client(options).save("The third time it was heard.");
  expect(saved.status).toBe("done");
  expect(sent()).toBe(4);
});

test("a delete is not sent again when nobody knows what became of it", async () => {
  const { options, sent } = after(() => refused(503));
  await expect(
    client(options).forget("01900000-0000-7000-8000-000000000000"),
  ).rejects.toMatchObject({
    status: 503,
    code: "unavailable",
  });
  expect(sent()).toBe(1);
});

test("who must wait longer than the patience is told at once", async () => {
  const { options, sent } = after(() => refused(429, { "Retry-After": "60" }));
  await expect(client({ ...options, patienceMs: 1_000 }).whoami()).rejects.toMatchObject({
    status: 429,
    retryAfterSeconds: 60,
  });
  expect(sent()).toBe(1);
});

test("a rate limit is waited out however often", async () => {
  const { options, sent } = after(
    ...Array.from({ length: 8 }, () => () => refused(429, { "Retry-After": "0" })),
  );
  expect((await client(options).save("The ninth time it was heard.")).status).toBe("done");
  expect(sent()).toBe(9);
});

test("patience ends", async () => {
  const { options, sent } = after(...Array.from({ length: 9 }, () => () => refused(503)));
  await expect(client(options).whoami()).rejects.toMatchObject({ status: 503 });
  expect(sent()).toBe(4);
});

test("a server that is not there is named", async () => {
  const nobody = createRemem("http://127.0.0.1:9", "mc_x", { patienceMs: 50 });
  await expect(nobody.whoami()).rejects.toMatchObject({ status: 0, code: "unreachable" });
});

test("a reply that takes too long is given up", async () => {
  const options: Options = {
    timeoutMs: 50,
    fetch: (request) =>
      new Promise((_, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason));
      }),
  };
  await expect(client(options).whoami()).rejects.toMatchObject({ status: 0, code: "timeout" });
});
