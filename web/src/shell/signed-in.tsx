import { useQuery } from "@tanstack/react-query";
import { Navigate, Outlet, useLocation } from "react-router";
import { sessionQuery } from "~/features/session/session";
import { ErrorState, Skeleton } from "~/ui/states";
import { Shell } from "./shell";

/** For public pages: adds the shell if the user is signed in. */
export function ShellIfSignedIn() {
  const session = useQuery(sessionQuery);
  if (session.data) return <Shell />;
  if (session.isPending) return null;
  return (
    <main>
      <Outlet />
    </main>
  );
}

/** For private pages: redirects to the sign-in page and back if the user is not signed in. */
export function SignedIn() {
  const session = useQuery(sessionQuery);
  const { pathname, search } = useLocation();
  if (session.data) return <Outlet />;
  if (session.isPending) {
    return (
      <div className="flex h-full">
        <div className="hidden w-60 border-e p-4 sm:block">
          <Skeleton className="h-8" />
        </div>
        <div className="flex-1 p-8">
          <Skeleton className="h-8 w-48" />
        </div>
      </div>
    );
  }
  if (session.error) return <ErrorState error={session.error} onRetry={session.refetch} />;
  const next = encodeURIComponent(pathname + search);
  return <Navigate to={`/login?next=${next}`} replace />;
}
