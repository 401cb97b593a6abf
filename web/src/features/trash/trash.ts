import { queryOptions } from "@tanstack/react-query";
import { answerOf, api, type Schemas } from "~/lib/api";

export type Trash = Schemas["TrashOut"];

export const trashQuery = queryOptions({
  queryKey: ["trash"],
  queryFn: ({ signal }) => answerOf(api.GET("/v3/trash", { signal })),
});
