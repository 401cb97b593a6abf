import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { onSignedOut } from "~/lib/api";
import { t } from "~/lib/language";
import { Dialog } from "~/ui/dialog";
import { sessionQuery } from "./session";
import { SignInForm } from "./sign-in-form";

/** A dialog to sign in again when the session has ended, so that nothing typed is lost. */
export function SignInDialog() {
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const [email, setEmail] = useState("");
  useEffect(
    () =>
      onSignedOut(() => {
        const person = queries.getQueryData(sessionQuery.queryKey);
        if (!person) return;
        setEmail(person.email);
        setOpen(true);
      }),
    [queries],
  );
  return (
    <Dialog
      open={open}
      locked
      title={t("You are signed out")}
      description={t("Sign in again to continue. What you typed is still here.")}
      onClose={() => setOpen(false)}
    >
      <SignInForm email={email} onDone={() => setOpen(false)} />
    </Dialog>
  );
}
