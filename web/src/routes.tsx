import { createBrowserRouter, type RouteObject } from "react-router";
import { addBasePath, BASE_PATH } from "./lib/base";
import { PageError } from "./shell/page-error";
import { Shell } from "./shell/shell";
import { ShellIfSignedIn, SignedIn } from "./shell/signed-in";

type PageModule = { default: React.ComponentType };

const page = (path: string, load: () => Promise<PageModule>): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await load()).default }),
  ErrorBoundary: PageError,
});

addBasePath();

/** Every page of the app. */
const pages: RouteObject[] = [
  {
    ErrorBoundary: PageError,
    HydrateFallback: () => null,
    children: [
      page("/", () => import("./pages/welcome/welcome")),
      page("/login", () => import("./pages/login/login")),
      page("/register", () => import("./pages/login/register")),
      {
        Component: SignedIn,
        children: [
          {
            Component: Shell,
            children: [
              page("/dashboard", () => import("./pages/dashboard/dashboard")),
              page("/search", () => import("./pages/search/search")),
              page("/ask", () => import("./pages/ask/ask")),
              page("/library", () => import("./pages/library/library")),
              page("/memory/:id", () => import("./pages/document/document")),
              page("/memory/:id/read", () => import("./pages/reader/reader")),
              page("/tags/:tag", () => import("./pages/tag/tag")),
              page("/memories", () => import("./pages/memories/memories")),
              page("/memories/:id", () => import("./pages/memory/memory")),
              page("/people", () => import("./pages/people/people")),
              page("/graph", () => import("./pages/graph/graph")),
              page("/timeline", () => import("./pages/timeline/timeline")),
              page("/projects", () => import("./pages/projects/projects")),
              page("/projects/:slug", () => import("./pages/project/project")),
              page("/projects/:slug/settings", () => import("./pages/project/settings")),
              page("/connect", () => import("./pages/connect/connect")),
              page("/today", () => import("./pages/today/today")),
              page("/share", () => import("./pages/share/share")),
              page("/activity", () => import("./pages/activity/activity")),
              page("/trash", () => import("./pages/trash/trash")),
              page("/evolution", () => import("./pages/evolution/evolution")),
              page("/operator", () => import("./pages/operator/operator")),
              page("/settings", () => import("./pages/settings/settings")),
              page("/settings/checkup", () => import("./pages/settings/checkup/checkup")),
              page("/settings/reminders", () => import("./pages/settings/reminders/reminders")),
              page(
                "/settings/connections",
                () => import("./pages/settings/connections/connections"),
              ),
            ],
          },
        ],
      },
      {
        Component: ShellIfSignedIn,
        children: [
          page("/extension", () => import("./pages/extension/extension")),
          page("*", () => import("./pages/not-found/not-found")),
        ],
      },
    ],
  },
];

export const router = createBrowserRouter(pages, { basename: BASE_PATH || "/" });
