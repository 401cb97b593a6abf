import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { forgetShared } from "~/features/documents/shared";
import { answerOf, api, csrfToken, type Schemas } from "~/lib/api";
import { BASE_PATH } from "~/lib/base";
import { t } from "~/lib/language";
import { forgetReplies, keepRepliesOf, readCache } from "~/lib/read-cache";
import { openUnsaved } from "~/lib/unsaved";

export type Person = Schemas["WhoAmI"];

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ client }): Promise<Person | null> => {
    const known = client.getQueryData<Person>(["session"]);
    if (!known && !csrfToken()) {
      await forgetReplies();
      return null;
    }
    const { data, error, response } = await api.GET("/v3/whoami");
    if (response.status === 401) await forgetReplies();
    // A user who was signed in stays on the page and signs in again in a dialog.
    if (response.status === 401 && !known) return null;
    const person = await answerOf(Promise.resolve({ data, error, response }));
    if (known && ownerOf(known) !== ownerOf(person)) return startOver();
    [owner, token] = [ownerOf(person), csrfToken()];
    await keepRepliesOf(owner);
    await openUnsaved(owner);
    return person;
  },
  staleTime: 5 * 60_000,
});

/** Who is shown, and the token of their session. */
let [owner, token] = ["", ""];

/** To whom drafts belong. */
function ownerOf({ organization_id, user_id }: Person): string {
  return `${organization_id}/${user_id}`;
}

/** Nothing of one person may be shown to another one, or be saved in their name. */
function startOver(): Promise<never> {
  window.location.assign(`${BASE_PATH}/dashboard`);
  return new Promise(() => {});
}

/** Another tab may have signed in someone else: call this before anything is sent. */
export async function checkSession(): Promise<void> {
  const current = csrfToken();
  if (!owner || !current || current === token) return;
  const { data } = await api.GET("/v3/whoami");
  if (data && ownerOf(data) !== owner) return startOver();
  token = current;
}

api.use({
  async onRequest({ request, schemaPath }) {
    if (request.method !== "GET" && !schemaPath.startsWith("/v3/auth/")) await checkSession();
    return undefined;
  },
});
api.use(readCache);
window.addEventListener("focus", () => void checkSession());

export function usePerson(): Person {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error(t("This page needs a signed-in user."));
  return data;
}

export type Credentials = Schemas["LoginIn"];

export function useSignIn(onDone?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Credentials) => answerOf(api.POST("/v3/auth/login", { body })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["session"] });
      onDone?.();
      await queries.invalidateQueries();
    },
  });
}

export function useRegister() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["RegisterIn"]) => answerOf(api.POST("/v3/auth/register", { body })),
    onSuccess: () => queries.invalidateQueries(),
  });
}

export function useSignOut() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await queries.cancelQueries();
      await answerOf(api.POST("/v3/auth/logout"));
      await Promise.all([forgetReplies(), forgetShared()]);
    },
    onSuccess: () => window.location.assign(`${BASE_PATH}/`),
  });
}

/** What this server allows without signing in. */
export const signInOptionsQuery = queryOptions({
  queryKey: ["sign-in-options"],
  queryFn: () => answerOf(api.GET("/v3/auth/options")),
  staleTime: Number.POSITIVE_INFINITY,
});
