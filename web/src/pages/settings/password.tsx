import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { accountQuery, useChangePassword } from "~/features/account/account";
import { messageOf } from "~/lib/api";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Card, Section } from "~/ui/layout";
import { PasswordField } from "~/ui/password-field";

export function Password() {
  const { data: account } = useQuery(accountQuery);
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const change = useChangePassword();
  const has = account?.has_password ?? false;
  return (
    <Section
      id="password"
      title={t("Password")}
      description={
        has
          ? t("Changing it signs you out everywhere else.")
          : t("You have none yet. Set one to sign in without a key.")
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
                  toast.success(has ? t("Password changed") : t("Password set"));
                  setCurrent("");
                  setNext("");
                },
              },
            );
          }}
        >
          <div className="grid gap-4 sm:grid-cols-2">
            {has && (
              <PasswordField
                label={t("Current password")}
                autoComplete="current-password"
                value={current}
                onChange={setCurrent}
              />
            )}
            <PasswordField
              label={t("New password")}
              autoComplete="new-password"
              value={next}
              onChange={setNext}
              error={change.error ? messageOf(change.error) : null}
            />
          </div>
          <Button type="submit" busy={change.isPending} disabled={!next}>
            {has ? t("Change password") : t("Set password")}
          </Button>
        </form>
      </Card>
    </Section>
  );
}
