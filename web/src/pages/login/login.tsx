import { useQuery } from "@tanstack/react-query";
import { Link, Navigate, useSearchParams } from "react-router";
import { sessionQuery, signInOptionsQuery } from "~/features/session/session";
import { SignInForm } from "~/features/session/sign-in-form";
import { useTitle } from "~/lib/use-title";
import { Frame, nextPath } from "./frame";

export default function Login() {
  useTitle("Sign in");
  const [params] = useSearchParams();
  const { data: person } = useQuery(sessionQuery);
  const { data: options } = useQuery(signInOptionsQuery);
  if (person) return <Navigate to={nextPath(params)} replace />;
  return (
    <Frame title="Sign in">
      {params.has("problem") && (
        <p role="alert" className="mb-4 rounded-md bg-warning-soft p-3 text-sm text-warning">
          This sign-in link has already been used or is older than ten minutes. Run{" "}
          <code className="font-mono">remem open</code> to get a new one.
        </p>
      )}
      <SignInForm />
      <p className="mt-4 text-sm text-muted">
        On your own machine, <code className="font-mono">remem open</code> signs you in.{" "}
        {options?.registration && (
          <Link to="/register" className="text-accent underline underline-offset-2">
            Create an account
          </Link>
        )}
      </p>
    </Frame>
  );
}
