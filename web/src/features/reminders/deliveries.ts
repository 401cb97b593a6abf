import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type Delivery = Schemas["DeliveryOut"];
export type Message = Schemas["MessageOut"];
export type Channel = Delivery["channel"];

const POLL_MS = 1500;
const KEY = ["deliveries"];

/** Read again while a message is on its way. */
const isOnItsWay = (message: Message | null | undefined) =>
  message?.status === "sending" || (message?.status === "waiting" && !message.attempts);

export const deliveriesQuery = queryOptions({
  queryKey: KEY,
  queryFn: ({ signal }) => answerOf(api.GET("/v3/deliveries", { signal })),
  refetchInterval: ({ state }) =>
    state.data?.deliveries.some(({ last }) => isOnItsWay(last)) ? POLL_MS : false,
});

export const deliveryLogQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEY, id, "log"],
    queryFn: ({ signal }) =>
      answerOf(api.GET("/v3/deliveries/{id}/log", { params: { path: { id } }, signal })),
    refetchInterval: ({ state }) => (state.data?.messages.some(isOnItsWay) ? POLL_MS : false),
  });

function useChange<Input, Output>(change: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

export const useMakeDelivery = () =>
  useChange((body: Schemas["DeliveryIn"]) => answerOf(api.POST("/v3/deliveries", { body })));

export const useChangeDelivery = () =>
  useChange(({ id, ...body }: Schemas["DeliveryChange"] & { id: string }) =>
    answerOf(api.PATCH("/v3/deliveries/{id}", { params: { path: { id } }, body })),
  );

export const useDeleteDelivery = () =>
  useChange((id: string) =>
    answerOf(api.DELETE("/v3/deliveries/{id}", { params: { path: { id } } })),
  );

export const useConfirmDelivery = () =>
  useChange(({ id, code }: { id: string; code: string }) =>
    answerOf(api.POST("/v3/deliveries/{id}/confirm", { params: { path: { id } }, body: { code } })),
  );

export const useTestDelivery = () =>
  useChange((id: string) =>
    answerOf(api.POST("/v3/deliveries/{id}/test", { params: { path: { id } } })),
  );
