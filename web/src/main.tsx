import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { startServiceWorker } from "./lib/service-worker";
import "./styles.css";

// Without this, a file dropped where nothing accepts it would replace the app.
window.addEventListener("dragover", (event) => {
  if (event.defaultPrevented || !event.dataTransfer?.types.includes("Files")) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = "none";
});

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}

startServiceWorker();
