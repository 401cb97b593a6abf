import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { onSignedOut } from "~/lib/api";
import { Dialog } from "~/ui/dialog";
import { sessionQuery } from "./session";
import { SignInForm } from "./sign-in-form";

/** Signed out in the middle: sign in over the page, so that nothing typed is lost. */
export function SignInOver() {
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
      title="You are signed out"
      description="Sign in again to go on. What you typed is still here."
      onClose={() => setOpen(false)}
    >
      <SignInForm email={email} onDone={() => setOpen(false)} />
    </Dialog>
  );
}
