/** The credential: an API key, or an OAuth grant whose access token is renewed. Only the background script reads it. */

import { browser } from "wxt/browser";
import { openStore } from "../store";

export type Grant = { base: string; clientId: string; refreshToken: string };
export type Credential = { kind: "key"; base: string; key: string } | ({ kind: "grant" } & Grant);
type AccessToken = { token: string; expires: number };

const ID = "credential";
const MARGIN_MS = 30_000;
const secrets = openStore<Credential>("secrets");

export const readCredential = (): Promise<Credential | undefined> => secrets.get(ID);

export async function storeCredential(credential: Credential): Promise<void> {
  await secrets.put(ID, credential);
}

export async function forgetCredential(): Promise<void> {
  await secrets.remove(ID);
  await browser.storage.session.remove("access");
}

export async function readAccessToken(): Promise<string | undefined> {
  const { access } = (await browser.storage.session.get("access")) as { access?: AccessToken };
  return access && access.expires - MARGIN_MS > Date.now() ? access.token : undefined;
}

export async function storeAccessToken(token: string, lifetimeS: number): Promise<void> {
  const access: AccessToken = { token, expires: Date.now() + lifetimeS * 1_000 };
  await browser.storage.session.set({ access });
}
