import { useState } from "react";
import { toast } from "sonner";
import { type Connection, useDisconnect } from "~/features/connections/connections";
import { messageOf } from "~/lib/api";
import { plural } from "~/lib/format";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";

type Props = { connection: Connection; onClose: () => void };
type Documents = "keep" | "erase";

export function DisconnectDialog({ connection, onClose }: Props) {
  const disconnect = useDisconnect();
  const [documents, setDocuments] = useState<Documents>("keep");
  const choices: [Documents, string][] = [
    ["keep", `Keep the ${plural(connection.items, "document")} from it`],
    [
      "erase",
      `Erase the ${plural(connection.items, "document")}; what you saved or changed yourself stays`,
    ],
  ];
  return (
    <Dialog
      open
      title={`Disconnect ${connection.account}?`}
      description="It is no longer synced, and its credential is deleted."
      onClose={onClose}
    >
      <fieldset className="space-y-2">
        <legend className="sr-only">What to do with its documents</legend>
        {choices.map(([value, label]) => (
          <label key={value} className="flex items-center gap-2 text-sm">
            <input
              type="radio"
              name="documents"
              className="size-4 accent-(--accent)"
              checked={documents === value}
              onChange={() => setDocuments(value)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="danger"
          busy={disconnect.isPending}
          onClick={() =>
            disconnect.mutate(
              { id: connection.id, documents },
              {
                onSuccess: () => {
                  toast.success(`${connection.account} is disconnected`);
                  onClose();
                },
                onError: (error) => toast.error(messageOf(error)),
              },
            )
          }
        >
          {documents === "erase" ? "Disconnect and erase" : "Disconnect"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
