import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import {
  type Channel,
  type Delivery,
  deliveriesQuery,
  useChangeDelivery,
  useConfirmDelivery,
  useDeleteDelivery,
  useTestDelivery,
} from "~/features/reminders/deliveries";
import { messageOf } from "~/lib/api";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Confirm } from "~/ui/confirm";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Checkbox, Field, Input } from "~/ui/input";
import { Row, Rows, Section } from "~/ui/layout";
import { ErrorText, Loaded, SkeletonList } from "~/ui/states";
import { DeliveryLog, MessageState } from "./delivery-log";
import { NewDelivery } from "./new-delivery";
import { TimeFields } from "./time-fields";

const CHANNEL_NAMES: Record<Channel, string> = {
  mail: t("Mail"),
  ntfy: "ntfy",
  webhook: "Webhook",
};
const onError = (error: unknown) => toast.error(messageOf(error));

/** Where the morning page is sent. */
export function Deliveries() {
  const deliveries = useQuery(deliveriesQuery);
  const [adding, setAdding] = useState(false);
  return (
    <Section
      id="deliveries"
      title={t("Every morning")}
      description={t(
        "The page “Today” comes to you: what is due, what changed, one thing from a year ago, one question.",
      )}
      actions={
        <Button onClick={() => setAdding(true)}>
          <Plus size={14} /> {t("Send it to me")}
        </Button>
      }
    >
      <Loaded query={deliveries} skeleton={<SkeletonList rows={1} height="h-14" />}>
        {({ deliveries: all, channels }) => (
          <>
            {all.length ? (
              <Rows>
                {all.map((delivery) => (
                  <Row key={delivery.id} className="block space-y-2">
                    <DeliveryRow delivery={delivery} />
                  </Row>
                ))}
              </Rows>
            ) : (
              <p className="text-sm text-muted">{t("It is sent nowhere.")}</p>
            )}
            <Dialog open={adding} title={t("Every morning")} onClose={() => setAdding(false)}>
              <NewDelivery channels={channels} onClose={() => setAdding(false)} />
            </Dialog>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { id, channel, address, at, time_zone, is_on, is_confirmed, last } = delivery;
  const [open, setOpen] = useState<"time" | "log" | "delete">();
  const change = useChangeDelivery();
  const test = useTestDelivery();
  const remove = useDeleteDelivery();
  const close = () => setOpen(undefined);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <div className="truncate font-medium" dir="auto">
            {CHANNEL_NAMES[channel]} · {address}
          </div>
          <div className="text-sm text-muted">
            {at} · {time_zone.replaceAll("_", " ")}
          </div>
        </div>
        {is_confirmed && (
          <Checkbox
            label={t("On")}
            checked={is_on}
            aria-label={t("Send to {address}", { address })}
            onChange={(event) => change.mutate({ id, is_on: event.target.checked }, { onError })}
          />
        )}
      </div>
      {last && is_confirmed && <MessageState message={last} />}
      {!is_confirmed && <ConfirmCode delivery={delivery} />}
      <div className="flex flex-wrap gap-2">
        <Button
          size="sm"
          busy={test.isPending}
          onClick={() =>
            test.mutate(id, { onSuccess: () => is_confirmed && setOpen("log"), onError })
          }
        >
          {is_confirmed ? t("Send a test") : t("Send the code again")}
        </Button>
        <Button size="sm" onClick={() => setOpen("time")}>
          {t("Change the time")}
        </Button>
        <Button size="sm" onClick={() => setOpen("log")}>
          {t("Log")}
        </Button>
        <Button
          size="sm"
          variant="danger"
          aria-label={t("Delete {address}", { address })}
          onClick={() => setOpen("delete")}
        >
          {t("Delete")}
        </Button>
      </div>
      <Dialog open={open === "time"} title={t("Time")} onClose={close}>
        <ChangeTime delivery={delivery} onClose={close} />
      </Dialog>
      <Dialog
        open={open === "log"}
        title={t("Sent to {address}", { address })}
        onClose={close}
        wide
      >
        <DeliveryLog id={id} />
      </Dialog>
      <Confirm
        open={open === "delete"}
        title={t("Send nothing more to {address}?", { address })}
        description={t("Its log is deleted, too.")}
        action={t("Delete")}
        onClose={close}
        onConfirm={() => {
          remove.mutate(id, { onError });
          close();
        }}
      />
    </>
  );
}

/** The code that was sent to a mail address. */
function ConfirmCode({ delivery }: { delivery: Delivery }) {
  const [code, setCode] = useState("");
  const confirm = useConfirmDelivery();
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        confirm.mutate(
          { id: delivery.id, code },
          { onSuccess: () => toast.success(t("Confirmed")) },
        );
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <Field label={t("The code that was sent to {address}", { address: delivery.address })}>
          {(id) => (
            <Input
              id={id}
              required
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={20}
              className="max-w-40"
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="primary" busy={confirm.isPending}>
          {t("Confirm")}
        </Button>
      </div>
      {confirm.error && <ErrorText>{messageOf(confirm.error)}</ErrorText>}
      {delivery.last && <MessageState message={delivery.last} />}
    </form>
  );
}

function ChangeTime({ delivery, onClose }: { delivery: Delivery; onClose: () => void }) {
  const [timing, setTiming] = useState({ at: delivery.at, time_zone: delivery.time_zone });
  const change = useChangeDelivery();
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ id: delivery.id, ...timing }, { onSuccess: onClose });
      }}
    >
      <TimeFields value={timing} onChange={setTiming} />
      {change.error && <ErrorText>{messageOf(change.error)}</ErrorText>}
      <DialogActions>
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button type="submit" variant="primary" busy={change.isPending}>
          {t("Save")}
        </Button>
      </DialogActions>
    </form>
  );
}
