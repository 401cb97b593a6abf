import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { accountQuery, useChangePassword } from "~/features/account/account";
import { messageOf } from "~/lib/api";
import { Button } from "~/ui/button";
import { Field, Input } from "~/ui/input";
import { Card, Section } from "~/ui/layout";

export function Password() {
  const { data: account } = useQuery(accountQuery);
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const change = useChangePassword();
  const has = account?.has_password ?? false;
  return (
    <Section
      id="password"
      title="Password"
      description={
        has
          ? "Changing it signs you out everywhere else."
          : "You have none yet. Set one to sign in without a key."
      }
    >
      <Card className="p-4">
        <form
          className="space-y-4"
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate(
              {
                email: account?.email ?? "",
                new_password: next,
                ...(has ? { current_password: current } : {}),
              },
              {
                onSuccess: () => {
                  toast.success(has ? "Password changed" : "Password set");
                  setCurrent("");
                  setNext("");
                },
              },
            );
          }}
        >
          <div className="grid gap-4 sm:grid-cols-2">
            {has && (
              <Field label="Current password">
                {(id) => (
                  <Input
                    id={id}
                    type="password"
                    autoComplete="current-password"
                    required
                    value={current}
                    onChange={(e) => setCurrent(e.target.value)}
                  />
                )}
              </Field>
            )}
            <Field
              label="New password"
              hint="At least 8 characters."
              error={change.error ? messageOf(change.error) : null}
            >
              {(id, describedBy) => (
                <Input
                  id={id}
                  type="password"
                  autoComplete="new-password"
                  minLength={8}
                  required
                  aria-describedby={describedBy}
                  value={next}
                  onChange={(e) => setNext(e.target.value)}
                />
              )}
            </Field>
          </div>
          <Button type="submit" busy={change.isPending} disabled={!next}>
            {has ? "Change password" : "Set password"}
          </Button>
        </form>
      </Card>
    </Section>
  );
}
