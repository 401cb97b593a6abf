import { useState } from "react";
import { toast } from "sonner";
import { useDeleteAccount } from "~/features/account/account";
import { usePerson } from "~/features/session/session";
import { messageOf } from "~/lib/api";
import { Button } from "~/ui/button";
import { Confirm } from "~/ui/confirm";
import { Card, Section } from "~/ui/layout";

export function DeleteAccount() {
  const person = usePerson();
  const [asking, setAsking] = useState(false);
  const remove = useDeleteAccount();
  return (
    <Section id="delete" title="Delete account">
      <Card className="flex flex-wrap items-center gap-4 p-4">
        <p className="flex-1 text-muted">
          Everything you saved is erased permanently. Export it first if you want to keep it.
        </p>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Delete account
        </Button>
      </Card>
      <Confirm
        open={asking}
        title="Delete your account?"
        description="All documents, memories, keys and projects are erased. This cannot be undone."
        action="Delete account"
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
