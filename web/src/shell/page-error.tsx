import { isRouteErrorResponse, useRouteError } from "react-router";
import { ErrorState } from "~/ui/states";

/** A page that breaks shows its own error; the shell around it stays. */
export function PageError() {
  const error = useRouteError();
  const shown = isRouteErrorResponse(error) ? new Error(error.statusText) : error;
  return <ErrorState error={shown} onRetry={() => window.location.reload()} />;
}
