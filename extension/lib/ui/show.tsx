/** Show one page of the extension. */

import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyTheme } from "./theme";
import "./style.css";

export function show(page: ReactNode): void {
  applyTheme();
  const root = document.getElementById("root");
  if (root) createRoot(root).render(<StrictMode>{page}</StrictMode>);
}
