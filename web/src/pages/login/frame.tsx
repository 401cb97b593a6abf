import type { ReactNode } from "react";
import { Link } from "react-router";
import { BASE_PATH } from "~/lib/base";

export function Frame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="grid min-h-full place-items-center p-4">
      <div className="w-full max-w-sm">
        <Link to="/" className="mb-6 flex items-center justify-center gap-2 font-semibold">
          <img src={`${BASE_PATH}/favicon.svg`} alt="" className="size-6" /> remem
        </Link>
        <div className="rounded-xl border bg-surface p-6">
          <h1 className="mb-4 text-md font-semibold">{title}</h1>
          {children}
        </div>
      </div>
    </main>
  );
}

/** The path to continue with; only a path of this app, so that a link cannot redirect elsewhere. */
export function nextPath(params: URLSearchParams): string {
  const next = params.get("next") ?? "";
  if (!next.startsWith("/")) return "/dashboard";
  const url = new URL(next, window.location.origin);
  // Browsers remove tabs and convert backslashes, so check the resolved URL.
  return url.origin === window.location.origin
    ? url.pathname + url.search + url.hash
    : "/dashboard";
}
