/** Sign in at the user's server with OAuth and PKCE, renew the token, and sign out. */

import { browser } from "wxt/browser";
import { Failure } from "../messages";
import { t } from "../words";
import {
  type Credential,
  forgetCredential,
  type Grant,
  readAccessToken,
  readCredential,
  storeAccessToken,
  storeCredential,
} from "./credentials";
import { challengeOf, randomText } from "./pkce";

type Tokens = { access_token: string; refresh_token: string; expires_in: number };
const SCOPE = "read write";

export async function signIn(base: string): Promise<void> {
  const clientId = await register(base);
  const verifier = randomText();
  const code = await authorize(base, clientId, verifier);
  const tokens = await exchange(base, {
    grant_type: "authorization_code",
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: redirectUrl(),
    resource: base,
  });
  await storeGrant({ base, clientId, refreshToken: tokens.refresh_token }, tokens);
}

export async function signInWithKey(base: string, key: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  const reply = await fetch(`${base}/v3/whoami`, { headers, credentials: "omit" });
  if (!reply.ok) throw new Failure("bad_key", t("problem_key"));
  await forgetCredential();
  await storeCredential({ kind: "key", base, key });
}

export async function signOut(): Promise<void> {
  const credential = await readCredential();
  await forgetCredential();
  await revoke(credential);
}

/** Revoke a grant; if the server does not answer, it ends when it expires. */
export async function revoke(credential: Credential | undefined): Promise<void> {
  if (credential?.kind !== "grant") return;
  const { base, clientId, refreshToken } = credential;
  const form = new URLSearchParams({ client_id: clientId, token: refreshToken });
  await post(`${base}/oauth/revoke`, form).catch(() => undefined);
}

/** A token for requests to the server; `renew` if the last one was rejected. */
export async function tokenFor(base: string, renew = false): Promise<string> {
  // The server revokes a grant whose refresh token is used twice, so allow one renewal at a time.
  return navigator.locks.request("remem-token", async () => {
    const credential = await readCredential();
    if (!credential || credential.base !== base) throw signInNeeded();
    if (credential.kind === "key") {
      if (renew) throw signInNeeded();
      return credential.key;
    }
    const current = renew ? undefined : await readAccessToken();
    return current ?? (await refresh(credential));
  });
}

async function refresh(grant: Grant): Promise<string> {
  const form = {
    grant_type: "refresh_token",
    client_id: grant.clientId,
    refresh_token: grant.refreshToken,
  };
  try {
    const tokens = await exchange(grant.base, form);
    await storeGrant({ ...grant, refreshToken: tokens.refresh_token }, tokens);
    return tokens.access_token;
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "refused") throw error;
    await forgetCredential();
    throw signInNeeded();
  }
}

async function storeGrant(grant: Grant, tokens: Tokens): Promise<void> {
  // Store the refresh token first: with it, a new access token can be requested.
  await storeCredential({ kind: "grant", ...grant });
  await storeAccessToken(tokens.access_token, tokens.expires_in);
}

/** Firefox's default redirect URL is on a server of Mozilla, and Firefox connects to it before it intercepts the
 * redirect. It never connects to the one on this computer. */
function redirectUrl(): string {
  const defaultUrl = browser.identity.getRedirectURL();
  if (!import.meta.env.FIREFOX) return defaultUrl;
  return `http://127.0.0.1/mozoauth2/${new URL(defaultUrl).hostname.split(".")[0]}`;
}

async function register(base: string): Promise<string> {
  const body = {
    client_name: "remem extension",
    redirect_uris: [redirectUrl()],
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    scope: SCOPE,
  };
  const reply = await fetch(`${base}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    credentials: "omit",
  });
  if (!reply.ok) throw new Failure("no_registration", t("problem_registration"));
  return ((await reply.json()) as { client_id: string }).client_id;
}

async function authorize(base: string, clientId: string, verifier: string): Promise<string> {
  const state = randomText();
  const url = new URL(`${base}/oauth/authorize`);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUrl(),
    code_challenge: await challengeOf(verifier),
    code_challenge_method: "S256",
    scope: SCOPE,
    resource: base,
    state,
  }).toString();
  const answer = await openWindow(url.href);
  const params = new URL(answer).searchParams;
  if (params.get("state") !== state || (params.get("iss") ?? base) !== base) {
    throw new Failure("sign_in_failed", t("problem_sign_in"));
  }
  const code = params.get("code");
  if (!code) throw new Failure("sign_in_denied", t("problem_denied"));
  return code;
}

async function openWindow(url: string): Promise<string> {
  try {
    const answer = await browser.identity.launchWebAuthFlow({ url, interactive: true });
    if (answer) return answer;
  } catch {
    // The user closed the window, or the page did not load.
  }
  throw new Failure("sign_in_closed", t("problem_closed"));
}

async function exchange(base: string, fields: Record<string, string>): Promise<Tokens> {
  const reply = await post(`${base}/oauth/token`, new URLSearchParams(fields));
  if (reply.status >= 400 && reply.status < 500 && reply.status !== 429) {
    throw new Failure("refused", t("problem_sign_in"));
  }
  if (!reply.ok) throw new Failure("unreachable", t("problem_unreachable", base));
  return (await reply.json()) as Tokens;
}

async function post(url: string, body: URLSearchParams): Promise<Response> {
  try {
    return await fetch(url, { method: "POST", body, credentials: "omit" });
  } catch {
    throw new Failure("unreachable", t("problem_unreachable", new URL(url).origin));
  }
}

export function signInNeeded(): Failure {
  return new Failure("sign_in", t("problem_sign_in_again"));
}
