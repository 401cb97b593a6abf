import { type Connection, type Connector, useWebhook } from "~/features/connections/connections";
import { messageOf } from "~/lib/api";
import { Button } from "~/ui/button";
import { CopyBox } from "~/ui/copy-button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { ErrorText } from "~/ui/states";

type Props = { connection: Connection; connector: Connector; onClose: () => void };

/** Creates the address that the service calls when something changes. It is shown once. */
export function WebhookDialog({ connection, connector, onClose }: Props) {
  const create = useWebhook();
  return (
    <Dialog
      open
      title={`Webhook of ${connection.account}`}
      description={`${connector.title} can call this server when something changes, so that it is synced at once. The server needs an address that ${connector.title} can reach. Without a webhook, it is synced regularly.`}
      onClose={onClose}
    >
      {create.data ? (
        <div className="space-y-3">
          <p className="text-sm font-medium">Address</p>
          <CopyBox text={create.data.url} />
          <p className="text-sm font-medium">Secret</p>
          <CopyBox text={create.data.secret} />
          <p className="text-sm text-muted">
            Paste both into the webhook settings there. They are shown only now.
          </p>
        </div>
      ) : (
        <p className="text-sm text-muted">A new address replaces an earlier one.</p>
      )}
      {create.error && <ErrorText>{messageOf(create.error)}</ErrorText>}
      <DialogActions>
        <Button onClick={onClose}>{create.data ? "Done" : "Cancel"}</Button>
        {!create.data && (
          <Button
            variant="primary"
            busy={create.isPending}
            onClick={() => create.mutate(connection.id)}
          >
            Create an address
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
