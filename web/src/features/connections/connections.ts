import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type Connector = Schemas["ConnectorOut"];
export type Connection = Schemas["ConnectionOut"];
export type Run = Schemas["RunOut"];
export type CheckResult = Schemas["CheckOut"];
export type Resource = Schemas["ResourceOut"];
export type DeviceCode = Schemas["DeviceOut"];
export type NewConnection = Schemas["ConnectIn"] & { provider: string };

const SYNCING_POLL_MS = 1_500;
const IDLE_POLL_MS = 30_000;
const ITEMS_SHOWN = 100;

export const connectorsQuery = queryOptions({
  queryKey: ["connectors"],
  queryFn: async ({ signal }) => (await answerOf(api.GET("/v3/connectors", { signal }))).connectors,
  staleTime: Number.POSITIVE_INFINITY,
});

export const connectionsQuery = queryOptions({
  queryKey: ["connections"],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET("/v3/connections", { signal }))).connections,
  refetchInterval: ({ state }) =>
    state.data?.some(({ status }) => status === "removing") ? SYNCING_POLL_MS : IDLE_POLL_MS,
});

/** A connection with its runs; polled more often during a sync. */
export function connectionQuery(id: string) {
  return queryOptions({
    queryKey: ["connections", id],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/v3/connections/{id}", { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) =>
      currentRun(state.data?.runs) || state.data?.status === "removing"
        ? SYNCING_POLL_MS
        : IDLE_POLL_MS,
  });
}

export function problemsQuery(id: string) {
  return queryOptions({
    queryKey: ["connections", id, "problems"],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET("/v3/connections/{id}/items", {
            params: { path: { id }, query: { problem: true, limit: ITEMS_SHOWN } },
            signal,
          }),
        )
      ).items,
  });
}

export function currentRun(runs: Run[] | undefined): Run | undefined {
  return runs?.find((run) => run.outcome === null);
}

/** Checks what would be read; nothing is stored. */
export function useCheck() {
  return useMutation({
    mutationFn: ({ provider, ...body }: NewConnection) =>
      answerOf(
        api.POST("/v3/connectors/{provider}/check", { params: { path: { provider } }, body }),
      ),
  });
}

export function useConnect() {
  return useConnectionMutation(({ provider, ...body }: NewConnection) =>
    answerOf(
      api.POST("/v3/connectors/{provider}/connect", { params: { path: { provider } }, body }),
    ),
  );
}

/** Sends the browser to the service, which sends it back to this page. */
export function useConsent() {
  return useMutation({
    mutationFn: ({ provider, ...body }: Schemas["ConsentIn"] & { provider: string }) =>
      answerOf(
        api.POST("/v3/connections/{provider}/authorize", { params: { path: { provider } }, body }),
      ),
    onSuccess: ({ auth_url }) => window.location.assign(auth_url),
  });
}

/** Gets a code to type in at the service, as an alternative to the redirect. */
export function useDeviceCode() {
  return useMutation({
    mutationFn: ({ provider, ...body }: Schemas["ConsentIn"] & { provider: string }) =>
      answerOf(
        api.POST("/v3/connectors/{provider}/device", { params: { path: { provider } }, body }),
      ),
  });
}

/** Polls, as often as the service allows, whether the code was typed in. */
export function deviceQuery({ id, interval_s }: DeviceCode) {
  return queryOptions({
    queryKey: ["sign-ins", id],
    queryFn: async () =>
      (await answerOf(api.POST("/v3/connections/sign-ins/{id}/poll", { params: { path: { id } } })))
        .connection ?? null,
    refetchInterval: ({ state }) =>
      state.data || state.status === "error" ? false : interval_s * 1_000,
    refetchIntervalInBackground: true,
    retry: false,
    gcTime: 0,
  });
}

/** Creates an address and a secret for the service; they replace earlier ones. */
export function useWebhook() {
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(api.POST("/v3/connections/{id}/webhook", { params: { path: { id } } })),
  });
}

/** What can be chosen in a connected account. */
export function resourcesQuery(id: string) {
  return queryOptions({
    queryKey: ["connections", id, "resources"],
    queryFn: async ({ signal }) =>
      (
        await answerOf(
          api.GET("/v3/connections/{id}/resources", { params: { path: { id } }, signal }),
        )
      ).resources,
    retry: false,
  });
}

export function useSync() {
  return useConnectionMutation((id: string) =>
    answerOf(api.POST("/v3/connections/{id}/sync", { params: { path: { id } } })),
  );
}

export function useChangeConnection() {
  return useConnectionMutation(({ id, ...body }: Schemas["ConnectionPatch"] & { id: string }) =>
    answerOf(api.PATCH("/v3/connections/{id}", { params: { path: { id } }, body })),
  );
}

export function useDisconnect() {
  return useConnectionMutation(({ id, documents }: { id: string; documents: "keep" | "erase" }) =>
    answerOf(
      api.DELETE("/v3/connections/{id}", { params: { path: { id }, query: { documents } } }),
    ),
  );
}

function useConnectionMutation<In, Out>(mutationFn: (input: In) => Promise<Out>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => queries.invalidateQueries({ queryKey: ["connections"] }),
  });
}
