import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "react-router";
import { Toaster } from "sonner";
import { RememFailure } from "~/lib/api";
import { t } from "~/lib/language";
import { useTheme } from "~/lib/theme";
import { CurrentRouter } from "~/lib/url-state";
import { router } from "./routes";

const RETRIES = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      networkMode: "always",
      // Retry only errors that may pass: the server failed or is overloaded.
      retry: (count, error) =>
        count < RETRIES && error instanceof RememFailure && error.status >= 500,
    },
    mutations: { networkMode: "always" },
  },
});

export function App() {
  const theme = useTheme();
  return (
    <QueryClientProvider client={queries}>
      <CurrentRouter value={router}>
        <RouterProvider router={router} />
      </CurrentRouter>
      <Toaster
        position="bottom-right"
        theme={theme}
        closeButton
        containerAriaLabel={t("Notifications")}
        toastOptions={{ closeButtonAriaLabel: t("Close") }}
        className="max-sm:mb-14"
      />
    </QueryClientProvider>
  );
}
