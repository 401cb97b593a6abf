import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { accountQuery, useChangeAccount } from "~/features/account/account";
import { messageOf, type Schemas } from "~/lib/api";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Field, Input } from "~/ui/input";
import { Card, Section } from "~/ui/layout";
import { Loaded, Skeleton } from "~/ui/states";

export function Account() {
  const account = useQuery(accountQuery);
  return (
    <Section id="account" title={t("Account")}>
      <Loaded query={account} skeleton={<Skeleton className="h-44 rounded-lg" />}>
        {(data) => <Form account={data} />}
      </Loaded>
    </Section>
  );
}

function Form({ account }: { account: Schemas["AccountOut"] }) {
  const [name, setName] = useState(account.name);
  const [email, setEmail] = useState(account.email);
  const change = useChangeAccount();
  return (
    <Card className="p-4">
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate({ name, email }, { onSuccess: () => toast.success(t("Saved")) });
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t("Name")}>
            {(id) => <Input id={id} value={name} onChange={(e) => setName(e.target.value)} />}
          </Field>
          <Field label={t("Email")} error={change.error ? messageOf(change.error) : null}>
            {(id) => (
              <Input id={id} required value={email} onChange={(e) => setEmail(e.target.value)} />
            )}
          </Field>
        </div>
        <Button
          type="submit"
          busy={change.isPending}
          disabled={name === account.name && email === account.email}
        >
          {t("Save")}
        </Button>
      </form>
    </Card>
  );
}
