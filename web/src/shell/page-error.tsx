import { isRouteErrorResponse, useRouteError } from "react-router";
import { ErrorState } from "~/ui/states";

/** Shows the error of a page in its place; the shell around it stays usable. */
export function PageError() {
  const error = useRouteError();
  const shown = isRouteErrorResponse(error) ? new Error(error.statusText) : error;
  return <ErrorState error={shown} onRetry={() => window.location.reload()} />;
}
