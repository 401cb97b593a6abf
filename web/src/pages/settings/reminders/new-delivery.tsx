import { type ReactNode, useState } from "react";
import { type Channel, useMakeDelivery } from "~/features/reminders/deliveries";
import { messageOf } from "~/lib/api";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { CopyBox } from "~/ui/copy-button";
import { DialogActions } from "~/ui/dialog";
import { Field, Input, Select } from "~/ui/input";
import { ErrorText } from "~/ui/states";
import { localZone, TimeFields } from "./time-fields";

const MORNING = "07:00";
const CHOICES: Record<
  Channel,
  { label: string; address: string; example: string; hint: ReactNode }
> = {
  mail: {
    label: t("Mail"),
    address: t("Mail address"),
    example: "you@example.org",
    hint: t("It gets a code first, which you enter here."),
  },
  ntfy: {
    label: t("ntfy, on your phone"),
    address: t("Topic"),
    example: "https://ntfy.sh/a-long-secret-name",
    hint: t("Subscribe to it in the ntfy app. Who knows its name can read it."),
  },
  webhook: {
    label: t("Webhook, for programs"),
    address: t("Address"),
    example: "https://example.org/hook",
    hint: t("Each request is signed."),
  },
};

type Props = { channels: Channel[]; onClose: () => void };

export function NewDelivery({ channels, onClose }: Props) {
  const [channel, setChannel] = useState<Channel>(channels[0] ?? "ntfy");
  const [address, setAddress] = useState("");
  const [token, setToken] = useState("");
  const [timing, setTiming] = useState({ at: MORNING, time_zone: localZone() });
  const make = useMakeDelivery();
  const choice = CHOICES[channel];
  if (make.data?.secret) {
    return (
      <div className="space-y-4">
        <p className="text-sm text-muted">
          {t("Each request is signed with this secret. Copy it now; it is not shown again.")}
        </p>
        <CopyBox text={make.data.secret} />
        <DialogActions>
          <Button variant="primary" onClick={onClose}>
            {t("Done##close")}
          </Button>
        </DialogActions>
      </div>
    );
  }
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        const needsToken = channel === "ntfy" && token;
        make.mutate(
          { channel, address: address.trim(), token: needsToken ? token : null, ...timing },
          { onSuccess: ({ secret }) => secret || onClose() },
        );
      }}
    >
      <Field
        label={t("How")}
        hint={
          channels.includes("mail")
            ? null
            : t("This server sends no mail; its operator can change that.")
        }
      >
        {(id, describedBy) => (
          <Select
            id={id}
            aria-describedby={describedBy}
            value={channel}
            onChange={(event) => setChannel(event.target.value as Channel)}
          >
            {channels.map((name) => (
              <option key={name} value={name}>
                {CHOICES[name].label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={choice.address} hint={choice.hint}>
        {(id, describedBy) => (
          <Input
            id={id}
            aria-describedby={describedBy}
            required
            type={channel === "mail" ? "email" : "url"}
            placeholder={choice.example}
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
        )}
      </Field>
      {channel === "ntfy" && (
        <Field label={t("Access token")} hint={t("Only if the topic is protected.")}>
          {(id, describedBy) => (
            <Input
              id={id}
              aria-describedby={describedBy}
              type="password"
              autoComplete="off"
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
          )}
        </Field>
      )}
      <TimeFields value={timing} onChange={setTiming} />
      {make.error && <ErrorText>{messageOf(make.error)}</ErrorText>}
      <DialogActions>
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button type="submit" variant="primary" busy={make.isPending}>
          {channel === "mail" ? t("Send the code") : t("Switch on")}
        </Button>
      </DialogActions>
    </form>
  );
}
