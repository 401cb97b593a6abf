import { createRemem, type Options, type Remem } from "../src/index.js";

declare const process: { env: Record<string, string | undefined> };

/** The server the tests speak to: a real one, whose address the caller names. */
export const url = needed("REMEM_URL");
const key = needed("REMEM_KEY");

export function client(options?: Options): Remem {
  return createRemem(url, key, options);
}

export function stranger(): Remem {
  return createRemem(url, "mc_00000000000000000000000000000000");
}

function needed(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name} to a running server's; \`make test\` does.`);
  return value;
}
