import { useState } from "react";
import { toast } from "sonner";
import { useDeleteAccount } from "~/features/account/account";
import { usePerson } from "~/features/session/session";
import { messageOf } from "~/lib/api";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Confirm } from "~/ui/confirm";
import { Card, Section } from "~/ui/layout";

export function DeleteAccount() {
  const person = usePerson();
  const [asking, setAsking] = useState(false);
  const remove = useDeleteAccount();
  return (
    <Section id="delete" title={t("Delete account")}>
      <Card className="flex flex-wrap items-center gap-4 p-4">
        <p className="flex-1 text-muted">
          {t("Everything you saved is erased permanently. Export it first if you want to keep it.")}
        </p>
        <Button variant="danger" onClick={() => setAsking(true)}>
          {t("Delete account")}
        </Button>
      </Card>
      <Confirm
        open={asking}
        title={t("Delete your account?")}
        description={t(
          "All documents, memories, keys and projects are erased. This cannot be undone.",
        )}
        action={t("Delete account")}
        phrase={person.email}
        busy={remove.isPending}
        onConfirm={() =>
          remove.mutate(undefined, { onError: (error) => toast.error(messageOf(error)) })
        }
        onClose={() => setAsking(false)}
      />
    </Section>
  );
}
