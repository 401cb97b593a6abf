import { useQuery } from "@tanstack/react-query";
import { deliveryLogQuery, type Message } from "~/features/reminders/deliveries";
import { absoluteTime } from "~/lib/format";
import { locale, rich, t } from "~/lib/language";
import { Row, Rows } from "~/ui/layout";
import { Loaded, SkeletonList } from "~/ui/states";
import { Time } from "~/ui/time";

const KINDS: Record<Message["kind"], string> = {
  morning: t("Morning page"),
  test: t("Test"),
  code: t("Code##mail"),
};
const STATES: Record<Message["status"], string> = {
  waiting: t("Waiting"),
  sending: t("Sending"),
  sent: t("Sent"),
  nothing: t("Nothing to say"),
  failed: t("Not sent"),
  unclear: t("Unclear"),
};

const clockOf = (moment: string) =>
  new Date(moment).toLocaleTimeString(locale, { hour: "numeric", minute: "2-digit" });

/** What became of the messages of a delivery, the newest first. */
export function DeliveryLog({ id }: { id: string }) {
  const log = useQuery(deliveryLogQuery(id));
  return (
    <Loaded query={log} skeleton={<SkeletonList rows={3} height="h-12" />}>
      {({ messages }) =>
        messages.length ? (
          <Rows>
            {messages.map((message) => (
              <Row key={message.id} className="block">
                <MessageState message={message} />
              </Row>
            ))}
          </Rows>
        ) : (
          <p className="text-sm text-muted">{t("Nothing was sent yet.")}</p>
        )
      }
    </Loaded>
  );
}

export function MessageState({ message }: { message: Message }) {
  const { kind, status, reason, attempts, next_try_at } = message;
  const isTriedAgain = status === "waiting" && next_try_at && attempts > 0;
  const isBad = status === "failed" || status === "unclear" || isTriedAgain;
  return (
    <div className="text-sm" role="status">
      <span className={isBad ? "text-danger" : "text-muted"}>
        {t("{kind}: {state}", {
          kind: KINDS[kind],
          state: isTriedAgain ? t("Not sent yet") : STATES[status],
        })}
      </span>
      <span className="text-muted">
        {" · "}
        <Time at={message.ended_at ?? message.created_at} />
        {isTriedAgain && (
          <>
            {" · "}
            {rich("next try {time}", {
              time: (
                <time dateTime={next_try_at} title={absoluteTime(next_try_at)}>
                  {clockOf(next_try_at)}
                </time>
              ),
            })}
          </>
        )}
      </span>
      {reason && (
        <p className="break-words text-muted" dir="auto">
          {reason}
        </p>
      )}
    </div>
  );
}
