import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { forgetShared } from "~/features/documents/shared";
import { forgetUploads } from "~/features/documents/uploads";
import { answerOf, api, type Schemas } from "~/lib/api";
import { BASE_PATH } from "~/lib/base";
import { forgetReplies } from "~/lib/read-cache";
import { forgetUnsaved } from "~/lib/unsaved";

export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: ({ signal }) => answerOf(api.GET("/v3/account", { signal })),
});

export function useChangeAccount() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["AccountChange"]) => answerOf(api.PATCH("/v3/account", { body })),
    onSuccess: () =>
      Promise.all(
        ["account", "session"].map((key) => queries.invalidateQueries({ queryKey: [key] })),
      ),
  });
}

export function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ email, ...body }: Schemas["PasswordChange"] & { email: string }) => {
      await answerOf(api.POST("/v3/account/password", { body }));
      // A new password signs out every browser, including this one, so sign in again.
      await answerOf(api.POST("/v3/auth/login", { body: { email, password: body.new_password } }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["account"] }),
  });
}

export function useDeleteAccount() {
  return useMutation({
    mutationFn: () => answerOf(api.DELETE("/v3/account")),
    onSuccess: async () => {
      await forgetUploads();
      await forgetUnsaved();
      await Promise.all([forgetReplies(), forgetShared()]);
      window.location.assign(`${BASE_PATH}/`);
    },
  });
}

export const organizationsQuery = queryOptions({
  queryKey: ["organizations"],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET("/v3/organizations", { signal }))).organizations,
});

export function membersQuery(id: string) {
  return queryOptions({
    queryKey: ["organizations", id, "members"],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET("/v3/organizations/{id}/members", { params: { path: { id } }, signal }),
        )
      ).members,
  });
}

export type Role = "owner" | "admin" | "member";

export function useMembers(id: string) {
  const queries = useQueryClient();
  const params = { path: { id } };
  const onSuccess = () => queries.invalidateQueries({ queryKey: ["organizations", id, "members"] });
  return {
    add: useMutation({
      mutationFn: (body: { email: string; role: Role }) =>
        answerOf(api.POST("/v3/organizations/{id}/members", { params, body })),
      onSuccess,
    }),
    change: useMutation({
      mutationFn: (body: { user_id: string; role: Role }) =>
        answerOf(api.PATCH("/v3/organizations/{id}/members", { params, body })),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (user_id: string) =>
        answerOf(
          api.DELETE("/v3/organizations/{id}/members", {
            params: { ...params, query: { user_id } },
          }),
        ),
      onSuccess,
    }),
  };
}

export function useCreateOrganization() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["OrganizationIn"]) =>
      answerOf(api.POST("/v3/organizations", { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["organizations"] }),
  });
}

export const modelsQuery = queryOptions({
  queryKey: ["models"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/v3/models", { signal }))).models,
});

export async function testModels() {
  return (await answerOf(api.POST("/v3/models/test"))).models;
}

export const signInsQuery = queryOptions({
  queryKey: ["sign-ins"],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET("/v3/auth/sessions", { signal }))).sessions,
});

export function useEndSignIn() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(api.DELETE("/v3/auth/sessions/{id}", { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["sign-ins"] }),
  });
}
