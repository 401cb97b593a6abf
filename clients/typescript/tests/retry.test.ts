import { expect, test } from "vitest";
import { createRemem, type Options } from "../src/index.js";
import { client } from "./server.js";

type Failure = () => Response;

const refused = (status: number, headers: Record<string, string> = {}) =>
  Response.json({ error: "Not now.", code: "unavailable" }, { status, headers });

/** Makes the first requests fail; the others reach the server. */
function failFirst(...failures: Failure[]): { options: Options; sent: () => number } {
  let sent = 0;
  const options: Options = {
    fetch: async (request) => {
      const failure = failures[sent];
      sent += 1;
      return failure ? failure() : fetch(request);
    },
  };
  return { options, sent: () => sent };
}

test("a request to a busy server is retried with the whole body", async () => {
  const { options, sent } = failFirst(
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

test("a delete is not retried if its outcome is unknown", async () => {
  const { options, sent } = failFirst(() => refused(503));
  await expect(
    client(options).forget("01900000-0000-7000-8000-000000000000"),
  ).rejects.toMatchObject({
    status: 503,
    code: "unavailable",
  });
  expect(sent()).toBe(1);
});

test("a wait longer than the patience fails at once", async () => {
  const { options, sent } = failFirst(() => refused(429, { "Retry-After": "60" }));
  await expect(client({ ...options, patienceMs: 1_000 }).whoami()).rejects.toMatchObject({
    status: 429,
    retryAfterSeconds: 60,
  });
  expect(sent()).toBe(1);
});

test("rate limits are waited out any number of times", async () => {
  const { options, sent } = failFirst(
    ...Array.from({ length: 8 }, () => () => refused(429, { "Retry-After": "0" })),
  );
  expect((await client(options).save("The ninth time it was heard.")).status).toBe("done");
  expect(sent()).toBe(9);
});

test("retries end after four attempts", async () => {
  const { options, sent } = failFirst(...Array.from({ length: 9 }, () => () => refused(503)));
  await expect(client(options).whoami()).rejects.toMatchObject({ status: 503 });
  expect(sent()).toBe(4);
});

test("an unreachable server is reported", async () => {
  const offline = createRemem("http://127.0.0.1:9", "mc_x", { patienceMs: 50 });
  await expect(offline.whoami()).rejects.toMatchObject({ status: 0, code: "unreachable" });
});

test("a reply that takes too long is a timeout", async () => {
  const options: Options = {
    timeoutMs: 50,
    fetch: (request) =>
      new Promise((_, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason));
      }),
  };
  await expect(client(options).whoami()).rejects.toMatchObject({ status: 0, code: "timeout" });
});

test("below the path of a proxy, the same requests are retried", async () => {
  const paths: string[] = [];
  const fetch = async (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return paths.length < 2 ? refused(503) : Response.json({ id: "1", status: "done" });
  };
  const saved = await createRemem("https://home.example/remem/", "a key", { fetch }).save("Heard.");
  expect(saved.status).toBe("done");
  expect(paths).toEqual(["/remem/v3/memory", "/remem/v3/memory"]);
});
