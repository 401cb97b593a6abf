/** Parse a pairing code of the web app: the server's address and a key, `http://127.0.0.1:8080#mc_…`. */

import { parseBase } from "../server/address";

export function parsePairing(code: string, base: string): { base: string; key: string } {
  const text = code.trim();
  const hash = text.indexOf("#");
  if (hash < 0) return { base: parseBase(base), key: text };
  return { base: parseBase(text.slice(0, hash)), key: text.slice(hash + 1).trim() };
}
