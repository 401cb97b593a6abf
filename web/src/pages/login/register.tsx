import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, Navigate } from "react-router";
import { sessionQuery, useRegister } from "~/features/session/session";
import { messageOf } from "~/lib/api";
import { t } from "~/lib/language";
import { useTitle } from "~/lib/use-title";
import { Button } from "~/ui/button";
import { Field, Input } from "~/ui/input";
import { PasswordField } from "~/ui/password-field";
import { Frame } from "./frame";

export default function Register() {
  useTitle(t("Create an account"));
  const { data: person } = useQuery(sessionQuery);
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const register = useRegister();
  if (person) return <Navigate to="/dashboard" replace />;
  return (
    <Frame title={t("Create an account")}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          register.mutate({ email, password, name: name || null });
        }}
      >
        <Field label={t("Name")}>
          {(id) => (
            <Input
              id={id}
              autoComplete="name"
              value={name}
              onChange={(e) => setName(e.target.value)}
            />
          )}
        </Field>
        <Field label={t("Email")}>
          {(id) => (
            <Input
              id={id}
              type="email"
              autoComplete="username"
              required
              value={email}
              onChange={(e) => setEmail(e.target.value)}
            />
          )}
        </Field>
        <PasswordField
          label={t("Password")}
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          error={register.error ? messageOf(register.error) : null}
        />
        <Button
          type="submit"
          variant="primary"
          busy={register.isPending}
          className="w-full justify-center"
        >
          {t("Create account")}
        </Button>
      </form>
      <p className="mt-4 text-sm text-muted">
        {t("Already have an account?")}{" "}
        <Link to="/login" className="text-accent underline underline-offset-2">
          {t("Sign in")}
        </Link>
      </p>
    </Frame>
  );
}
