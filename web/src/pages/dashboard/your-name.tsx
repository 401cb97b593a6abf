import { useId, useState } from "react";
import { toast } from "sonner";
import { useChangeAccount } from "~/features/account/account";
import { usePerson } from "~/features/session/session";
import { messageOf } from "~/lib/api";
import { t } from "~/lib/language";
import { useStored } from "~/lib/use-stored";
import { Button } from "~/ui/button";
import { Input } from "~/ui/input";

/** Asks for the name once, so that statements with it are known to be about the user. */
export function YourName() {
  const person = usePerson();
  const [isLater, setIsLater] = useStored(`remem.name.${person.user_id}`, false);
  const [name, setName] = useState("");
  const id = useId();
  const change = useChangeAccount();
  if (person.name_given || isLater) return null;
  return (
    <form
      className="mb-6 rounded-lg border bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ name }, { onError: (error) => toast.error(messageOf(error)) });
      }}
    >
      <label htmlFor={id} className="font-medium">
        {t("What is your name?")}
      </label>
      <div className="mt-2 flex flex-wrap gap-2">
        <Input
          id={id}
          required
          autoComplete="name"
          className="max-w-72"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" variant="primary" busy={change.isPending}>
          {t("Save name")}
        </Button>
        <Button variant="quiet" onClick={() => setIsLater(true)}>
          {t("Not now")}
        </Button>
      </div>
      <p className="mt-2 text-xs text-muted">
        {t("What others write about you is found by it. You can change it under Settings.")}
      </p>
    </form>
  );
}
