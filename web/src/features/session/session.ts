import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answerOf, api, csrfToken, type Schemas } from "~/lib/api";

export type Person = Schemas["WhoAmI"];

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ client }): Promise<Person | null> => {
    const known = client.getQueryData(["session"]);
    if (!known && !csrfToken()) return null;
    const { data, error, response } = await api.GET("/v3/whoami");
    // A user who was signed in stays on the page and signs in again in a dialog.
    if (response.status === 401 && !known) return null;
    return answerOf(Promise.resolve({ data, error, response }));
  },
  staleTime: 5 * 60_000,
});

export function usePerson(): Person {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error("This page needs a signed-in user.");
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
      return answerOf(api.POST("/v3/auth/logout"));
    },
    onSuccess: () => window.location.assign("/"),
  });
}

/** What this server allows without signing in. */
export const signInOptionsQuery = queryOptions({
  queryKey: ["sign-in-options"],
  queryFn: () => answerOf(api.GET("/v3/auth/options")),
  staleTime: Number.POSITIVE_INFINITY,
});
