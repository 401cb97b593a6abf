import clsx from "clsx";
import { lazy, Suspense, useEffect, useState } from "react";
import { Outlet, useLocation, useNavigate, useNavigation } from "react-router";
import { AddDialog } from "~/features/documents/add-dialog";
import { undoLastDelete } from "~/features/documents/delete";
import { WindowDrop } from "~/features/documents/window-drop";
import { useLiveUpdates } from "~/features/jobs/live";
import { SignInDialog } from "~/features/session/sign-in-dialog";
import { useKeys, watchPrefixes } from "~/lib/keyboard";
import { t } from "~/lib/language";
import { reloadIfOutdated } from "~/lib/service-worker";
import { useUrlState } from "~/lib/url-state";
import { useStored } from "~/lib/use-stored";
import { BackupBanner } from "./backup-banner";
import { MAIN, MORE, PROJECTS } from "./destinations";
import { KeysDialog } from "./keys-dialog";
import { OfflineBanner } from "./offline-banner";
import { PhoneBar } from "./phone-bar";
import { Sidebar } from "./sidebar";
import { TopBar } from "./top-bar";
import { useSending } from "./use-sending";

const Palette = lazy(() => import("./palette"));

type Open = "add" | "keys" | "palette" | null;

export function Shell() {
  const [collapsed, setCollapsed] = useStored("remem.sidebar.collapsed", false);
  const [params, change] = useUrlState();
  // The launcher of the installed app opens the dialog by its address.
  const [open, setOpen] = useState<Open>(params.has("add") ? "add" : null);
  const navigate = useNavigate();
  const { pathname, state } = useLocation();
  const navigation = useNavigation();
  useEffect(() => {
    if (params.has("add")) change({ add: null });
  }, [params, change]);
  useLiveUpdates();
  useSending();
  useEffect(() => watchPrefixes(["g"]), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll to the top on another page
  useEffect(() => {
    if (!(state as { isSamePlace?: boolean } | null)?.isSamePlace)
      document.getElementById("content")?.scrollTo(0, 0);
    reloadIfOutdated();
  }, [pathname]);
  useKeys({
    "mod+k": () => setOpen(open === "palette" ? null : "palette"),
    "/": () => setOpen("palette"),
    n: () => setOpen("add"),
    "?": () => setOpen("keys"),
    "[": () => setCollapsed(!collapsed),
    u: () => undoLastDelete(),
    ...Object.fromEntries(
      [...MAIN, ...MORE, PROJECTS].map(({ keys, to }) => [keys, () => navigate(to)]),
    ),
  });
  return (
    <div className="flex h-full">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-md focus:bg-surface focus:px-3 focus:py-1"
      >
        {t("Skip to content")}
      </a>
      {!collapsed && <Sidebar onCollapse={() => setCollapsed(true)} />}
      <div className="flex min-w-0 flex-1 flex-col">
        <OfflineBanner />
        <BackupBanner />
        <TopBar
          collapsed={collapsed}
          onExpand={() => setCollapsed(false)}
          onAdd={() => setOpen("add")}
          onSearch={() => setOpen("palette")}
        />
        <main
          id="content"
          tabIndex={-1}
          aria-busy={navigation.state === "loading"}
          className={clsx(
            "relative min-h-0 flex-1 overflow-y-auto outline-none",
            // Reserve space for the scrollbar, so that all pages have the same width.
            pathname !== "/graph" && "[scrollbar-gutter:stable]",
          )}
        >
          <Outlet />
        </main>
        <PhoneBar />
      </div>
      <AddDialog open={open === "add"} onClose={() => setOpen(null)} />
      <KeysDialog open={open === "keys"} onClose={() => setOpen(null)} />
      {open === "palette" && (
        <Suspense fallback={null}>
          <Palette
            onClose={() => setOpen(null)}
            onAdd={() => setOpen("add")}
            onKeys={() => setOpen("keys")}
          />
        </Suspense>
      )}
      <WindowDrop />
      <SignInDialog />
    </div>
  );
}
