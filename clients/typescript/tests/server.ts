import { createRemem, type Options, type Remem } from "../src/index.js";

declare const process: { env: Record<string, string | undefined> };

/** The address of the real server that the tests use. */
export const url = requiredEnv("REMEM_URL");
const key = requiredEnv("REMEM_KEY");

export function client(options?: Options): Remem {
  return createRemem(url, key, options);
}

export function stranger(): Remem {
  return createRemem(url, "mc_00000000000000000000000000000000");
}

function requiredEnv(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name} to a running server's; \`make test\` does.`);
  return value;
}
