/** Render a page of the extension. */

import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { t } from "@/lib/words";
import { applyTheme } from "./theme";
import "./style.css";

export function show(page: ReactNode): void {
  applyTheme();
  document.documentElement.lang = t("language");
  const root = document.getElementById("root");
  if (root) createRoot(root).render(<StrictMode>{page}</StrictMode>);
}
