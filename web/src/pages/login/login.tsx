import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useSearchParams } from "react-router";
import { sessionQuery, signInOptionsQuery } from "~/features/session/session";
import { SignInForm } from "~/features/session/sign-in-form";
import { rich, t } from "~/lib/language";
import { useTitle } from "~/lib/use-title";
import { Frame, nextPath } from "./frame";

const OPEN = <code className="font-mono">remem open</code>;

export default function Login() {
  useTitle(t("Sign in"));
  const [params] = useSearchParams();
  const { data: person } = useQuery(sessionQuery);
  const { data: options } = useQuery(signInOptionsQuery);
  if (person) return <Navigate to={nextPath(params)} replace />;
  return (
    <Frame title={t("Sign in")}>
      {params.has("problem") && (
        <p role="alert" className="mb-4 rounded-md bg-warning-soft p-3 text-sm text-warning">
          {rich(
            "This sign-in link has already been used or is older than ten minutes. Run {command} to get a new one.",
            { command: OPEN },
          )}
        </p>
      )}
      <SignInForm />
      <p className="mt-4 text-sm text-muted">
        {rich("On your own machine, {command} signs you in.", { command: OPEN })}{" "}
        {options?.registration && (
          <Link to="/register" className="text-accent underline underline-offset-2">
            {t("Create an account")}
          </Link>
        )}
      </p>
    </Frame>
  );
}
