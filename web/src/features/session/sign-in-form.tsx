import { useState } from "react";
import { messageOf } from "~/lib/api";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Field, Input } from "~/ui/input";
import { PasswordField } from "~/ui/password-field";
import { Segments } from "~/ui/tabs";
import { useSignIn } from "./session";

type Method = "password" | "key";

export function SignInForm({ email: known = "", onDone }: { email?: string; onDone?: () => void }) {
  const [method, setMethod] = useState<Method>("password");
  const [email, setEmail] = useState(known);
  const [secret, setSecret] = useState("");
  const signIn = useSignIn(onDone);
  const problem = signIn.error ? messageOf(signIn.error) : null;
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        signIn.mutate(method === "key" ? { api_key: secret } : { email, password: secret });
      }}
    >
      <Segments
        label={t("How to sign in")}
        value={method}
        options={[
          { value: "password", label: t("Password") },
          { value: "key", label: t("API key") },
        ]}
        onChange={(next) => {
          setMethod(next);
          setSecret("");
          signIn.reset();
        }}
      />
      {method === "password" && (
        <Field label={t("Email")}>
          {(id) => (
            <Input
              id={id}
              type="email"
              name="email"
              autoComplete="username"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
      )}
      <PasswordField
        key={method}
        name={method}
        label={method === "key" ? t("API key") : t("Password")}
        hint={
          method === "key" ? t("The owner's key is in owner.key in the data folder.") : undefined
        }
        autoComplete={method === "key" ? "off" : "current-password"}
        placeholder={method === "key" ? "mc_…" : undefined}
        value={secret}
        onChange={setSecret}
        error={problem}
      />
      <Button
        type="submit"
        variant="primary"
        busy={signIn.isPending}
        className="w-full justify-center"
      >
        {t("Sign in")}
      </Button>
    </form>
  );
}
