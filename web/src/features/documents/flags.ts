import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { toast } from "sonner";
import { messageOf } from "~/lib/api";
import { plural } from "~/lib/format";
import { t } from "~/lib/language";
import { changeMany, type DocumentLine, refreshDocuments } from "./documents";

export type Flag = "unread" | "favourite" | "archived";
type Flagged = Pick<DocumentLine, "id" | Flag>;

/** What setting or removing a flag is called on buttons. */
export const FLAG_ACTIONS: Record<Flag, { set: string; unset: string }> = {
  unread: { set: t("Mark as unread"), unset: t("Mark as read") },
  favourite: { set: t("Favourite"), unset: t("Not a favourite") },
  archived: { set: t("Archive"), unset: t("Move out of the archive") },
};

/** Whether the flag is set on all of them, so that the next change removes it. */
export function allHave(documents: Flagged[], flag: Flag): boolean {
  return documents.length > 0 && documents.every((document) => document[flag]);
}

/** Sets a flag on all of them, or removes it from all if every one has it. */
export function useToggleFlag() {
  const queries = useQueryClient();
  return useCallback(
    (documents: Flagged[], flag: Flag) => {
      const ids = documents.map(({ id }) => id);
      return setFlag(queries, ids, flag, !allHave(documents, flag));
    },
    [queries],
  );
}

async function setFlag(
  queries: QueryClient,
  ids: string[],
  flag: Flag,
  isSet: boolean,
): Promise<void> {
  if (!ids.length) return;
  try {
    const action = isSet ? "flag" : "unflag";
    const { results } = await changeMany(ids, { action, flags: [flag] });
    const refused = results.find(({ ok }) => !ok);
    if (refused) toast.error(refused.error);
    else if (flag === "archived") offerUndo(queries, ids, isSet);
  } catch (error) {
    toast.error(messageOf(error));
  }
  await refreshDocuments(queries);
}

/** What is archived leaves the list that it was in. */
function offerUndo(queries: QueryClient, ids: string[], isSet: boolean): void {
  const count = plural(ids.length, "document");
  toast(
    isSet ? t("{count} archived", { count }) : t("{count} moved out of the archive", { count }),
    {
      action: { label: t("Undo"), onClick: () => void setFlag(queries, ids, "archived", !isSet) },
    },
  );
}
