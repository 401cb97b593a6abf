import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { toast } from "sonner";
import { messageOf } from "~/lib/api";
import { t } from "~/lib/language";
import { changeDocument, type Document, refreshDocuments } from "./documents";

const UNDO_MS = 10_000;

/** Whether somebody can choose if a document is theirs: what they typed always is. */
export function isChoice(document: Document): boolean {
  const isMarked = Boolean(document.metadata.speaker);
  const isLatest = !document.versions?.some(({ id, is_latest }) => is_latest && id !== document.id);
  return isLatest && isMarked === document.mine;
}

/** Says whether "my" in a document is the user's, with a message that offers to undo it. */
export function useSetMine() {
  const queries = useQueryClient();
  return useCallback(
    async (document: Document, mine: boolean) => {
      const set = async (value: boolean) => {
        try {
          await changeDocument(document.id, { mine: value });
          return true;
        } catch (error) {
          toast.error(t("Not changed: {error}", { error: messageOf(error) }));
          return false;
        } finally {
          await refreshDocuments(queries);
        }
      };
      if (!(await set(mine))) return;
      const words = mine
        ? t("“My” in this document is you")
        : t("“My” in this document is not you");
      toast(words, {
        action: { label: t("Undo"), onClick: () => void set(!mine) },
        duration: UNDO_MS,
      });
    },
    [queries],
  );
}
