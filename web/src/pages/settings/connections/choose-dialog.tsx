import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  type Connection,
  type Connector,
  resourcesQuery,
  useChangeConnection,
} from "~/features/connections/connections";
import { messageOf } from "~/lib/api";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { ErrorText, SkeletonList } from "~/ui/states";
import { ChoiceList, TypedChoices, wordsOf } from "./choices";

type Props = { connection: Connection; connector: Connector; onClose: () => void };

/** Chooses what to read. What is no longer chosen is removed at the next sync. */
export function ChooseDialog({ connection, connector, onClose }: Props) {
  const resources = useQuery(resourcesQuery(connection.id));
  const change = useChangeConnection();
  const [picked, setPicked] = useState<string[] | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const listed = new Set(resources.data?.map(({ reference }) => reference));
  const chosen = picked ?? connection.chosen.filter((reference) => listed.has(reference));
  const others = connection.chosen.filter((reference) => !listed.has(reference)).join(" ");
  const all = [...new Set([...chosen, ...wordsOf(typed ?? others)])];
  const problem = change.error ?? resources.error;
  return (
    <Dialog
      open
      title={`Choose what to read from ${connection.account}`}
      description="What you no longer choose is removed here at the next sync."
      onClose={onClose}
    >
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate({ id: connection.id, chosen: all }, { onSuccess: onClose });
        }}
      >
        {resources.isPending ? (
          <SkeletonList rows={3} height="h-8" />
        ) : (
          <ChoiceList resources={resources.data ?? []} chosen={chosen} onChosen={setPicked} />
        )}
        {connector.choice && !resources.isPending && (
          <TypedChoices choice={connector.choice} value={typed ?? others} onChange={setTyped} />
        )}
        {problem && <ErrorText>{messageOf(problem)}</ErrorText>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={change.isPending}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
