import { type Connection, type Connector, useWebhook } from "~/features/connections/connections";
import { messageOf } from "~/lib/api";
import { Button } from "~/ui/button";
import { CopyBox } from "~/ui/copy-button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { ErrorText } from "~/ui/states";

type Props = { connection: Connection; connector: Connector; onClose: () => void };

/** The address that the service calls when something changed. It is shown once. */
export function WebhookDialog({ connection, connector, onClose }: Props) {
  const make = useWebhook();
  return (
    <Dialog
      open
      title={`Webhook of ${connection.account}`}
      description={`${connector.title} can call this server when something changed, so that a sync comes at once. The server needs an address that ${connector.title} can reach; without a webhook it is read regularly.`}
      onClose={onClose}
    >
      {make.data ? (
        <div className="space-y-3">
          <p className="text-sm font-medium">Address</p>
          <CopyBox text={make.data.url} />
          <p className="text-sm font-medium">Secret</p>
          <CopyBox text={make.data.secret} />
          <p className="text-sm text-muted">
            Paste both into the webhook settings there. They are shown only now.
          </p>
        </div>
      ) : (
        <p className="text-sm text-muted">
          A new address replaces the one that was made before, if there was one.
        </p>
      )}
      {make.error && <ErrorText>{messageOf(make.error)}</ErrorText>}
      <DialogActions>
        <Button onClick={onClose}>{make.data ? "Done" : "Cancel"}</Button>
        {!make.data && (
          <Button
            variant="primary"
            busy={make.isPending}
            onClick={() => make.mutate(connection.id)}
          >
            Make an address
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
