import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { type Key, keysQuery, type Right, useCreateKey, useRevokeKey } from "~/features/keys/keys";
import { messageOf } from "~/lib/api";
import { shortDate } from "~/lib/format";
import { rich, t } from "~/lib/language";
import { toggled } from "~/lib/toggled";
import { Button } from "~/ui/button";
import { Chip } from "~/ui/chip";
import { Confirm } from "~/ui/confirm";
import { CopyBox } from "~/ui/copy-button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Checkbox, Field, Input, Select } from "~/ui/input";
import { Row, Rows, Section } from "~/ui/layout";
import { Loaded, SkeletonList } from "~/ui/states";
import { Time } from "~/ui/time";

const SHORT: Record<string, string> = {
  read: t("read"),
  write: t("write"),
  admin: t("admin"),
};
const RIGHTS: [Right, string][] = [
  ["read", t("Read")],
  ["write", t("Save and change")],
  ["admin", t("Manage keys and members")],
];

export function Keys() {
  const keys = useQuery(keysQuery);
  const [creating, setCreating] = useState(false);
  const [revoking, setRevoking] = useState<Key>();
  const revoke = useRevokeKey();
  return (
    <Section
      id="keys"
      title={t("API keys")}
      description={t("For scripts and assistants. A key is shown once.")}
      actions={
        <Button onClick={() => setCreating(true)}>
          <Plus size={14} /> {t("New key")}
        </Button>
      }
    >
      <Loaded query={keys} skeleton={<SkeletonList rows={2} height="h-14" />}>
        {(all) =>
          all.length ? (
            <Rows>
              {all.map((key) => (
                <Row key={key.id}>
                  <div className="min-w-0 flex-1">
                    <div className="font-medium">{key.name}</div>
                    <div className="text-sm text-muted">
                      <code className="font-mono">{key.prefix}…</code> ·{" "}
                      {key.last_used_at
                        ? rich("last used {time}", { time: <Time at={key.last_used_at} /> })
                        : t("never used")}
                      {key.expires_at &&
                        ` · ${t("expires {date}", { date: shortDate(key.expires_at) })}`}
                    </div>
                  </div>
                  <span className="flex gap-1">
                    {key.scopes.map((scope) => (
                      <Chip key={scope}>{SHORT[scope] ?? scope}</Chip>
                    ))}
                  </span>
                  <Button
                    variant="danger"
                    size="sm"
                    aria-label={t("Revoke {name}", { name: key.name })}
                    onClick={() => setRevoking(key)}
                  >
                    {t("Revoke")}
                  </Button>
                </Row>
              ))}
            </Rows>
          ) : (
            <p className="text-sm text-muted">{t("You have no keys.")}</p>
          )
        }
      </Loaded>
      <Dialog open={creating} title={t("New API key")} onClose={() => setCreating(false)}>
        <Create onClose={() => setCreating(false)} />
      </Dialog>
      <Confirm
        open={revoking !== undefined}
        title={t("Revoke {name}?", { name: revoking?.name })}
        description={t("Everything that uses this key stops working at once.")}
        action={t("Revoke key")}
        busy={revoke.isPending}
        onConfirm={() =>
          revoking &&
          revoke.mutate(revoking.id, {
            onSuccess: () => {
              toast.success(t("Key revoked"));
              setRevoking(undefined);
            },
            onError: (error) => toast.error(messageOf(error)),
          })
        }
        onClose={() => setRevoking(undefined)}
      />
    </Section>
  );
}

function Create({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [rights, setRights] = useState<Right[]>(["read", "write"]);
  const [days, setDays] = useState("");
  const create = useCreateKey();
  if (create.data) {
    return (
      <div className="space-y-4">
        <p className="text-sm text-muted">{t("Copy it now. It is not shown again.")}</p>
        <CopyBox text={create.data.key} />
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
        create.mutate({ name, scopes: rights, expires_in_days: days ? Number(days) : null });
      }}
    >
      <Field
        label={t("Name")}
        hint={t("What it is for.")}
        error={create.error ? messageOf(create.error) : null}
      >
        {(id) => <Input id={id} required value={name} onChange={(e) => setName(e.target.value)} />}
      </Field>
      <fieldset className="space-y-2">
        <legend className="mb-1 text-sm font-medium">{t("Permissions")}</legend>
        {RIGHTS.map(([right, label]) => (
          <Checkbox
            key={right}
            className="flex!"
            label={label}
            checked={rights.includes(right)}
            onChange={() => setRights(toggled(rights, right))}
          />
        ))}
      </fieldset>
      <Field label={t("Expires")}>
        {(id) => (
          <Select id={id} className="w-full" value={days} onChange={(e) => setDays(e.target.value)}>
            <option value="">{t("Never")}</option>
            <option value="30">{t("In 30 days")}</option>
            <option value="90">{t("In 90 days")}</option>
            <option value="365">{t("In a year")}</option>
          </Select>
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button type="submit" variant="primary" busy={create.isPending} disabled={!rights.length}>
          {t("Create key")}
        </Button>
      </DialogActions>
    </form>
  );
}
