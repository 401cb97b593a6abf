import { Upload as UploadIcon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useMatch } from "react-router";
import { useProject } from "~/features/projects/projects";
import { t } from "~/lib/language";
import { bodyOf, isAddress } from "./add";
import { filesOf } from "./dropped-files";
import { saveLater } from "./outbox";
import { UploadList } from "./upload-list";
import { useOtherUploads } from "./uploads";

type Dragged = "files" | "link" | null;

/** What is dragged into the page from outside. */
function draggedOf(event: DragEvent): Dragged {
  const types = event.dataTransfer?.types ?? [];
  if (types.includes("Files")) return "files";
  return types.includes("text/uri-list") ? "link" : null;
}

/** Saves files, folders and links that are dropped anywhere in the window. */
export function WindowDrop() {
  const slug = useMatch("/projects/:slug/*")?.params.slug;
  const project = useProject(slug)?.slug;
  const { uploads, send } = useOtherUploads();
  const drop = async (event: DragEvent) => {
    const transfer = event.dataTransfer;
    if (!transfer) return;
    const link = transfer.getData("text/uri-list").trim();
    const files = await filesOf(transfer);
    if (files.length) send(files, project);
    else if (isAddress(link)) saveLater(bodyOf({ text: link, project }));
  };
  const over = useDraggedOver(drop);
  return (
    <>
      {over && (
        <div
          role="status"
          className="pointer-events-none fixed inset-0 z-50 grid place-items-center bg-accent/10 p-3 outline-4 -outline-offset-4 outline-accent outline-dashed"
        >
          <p className="flex items-center gap-2 rounded-lg border border-accent bg-surface px-4 py-3 text-md font-medium text-accent">
            <UploadIcon size={18} />{" "}
            {over === "files" ? t("Drop to save files or folders") : t("Drop to save the page")}
          </p>
        </div>
      )}
      {uploads.length > 0 && (
        <section
          aria-label={t("Files being saved")}
          className="fixed end-4 bottom-4 z-40 w-96 max-w-[calc(100vw-32px)] rounded-lg border border-line-strong bg-surface max-sm:bottom-18 [&>div]:border-t-0"
        >
          <UploadList uploads={uploads} />
        </section>
      )}
    </>
  );
}

/** What is dragged over the window now. A box that handles the drop itself takes precedence. */
function useDraggedOver(onDrop: (event: DragEvent) => void): Dragged {
  const [over, setOver] = useState<Dragged>(null);
  const latest = useRef(onDrop);
  latest.current = onDrop;
  useEffect(() => {
    let fromPage = false;
    const listeners = {
      dragstart: () => {
        fromPage = true;
      },
      dragend: () => {
        fromPage = false;
      },
      dragover: (event: DragEvent) => {
        const dragged = fromPage ? null : draggedOf(event);
        if (dragged) event.preventDefault();
        if (dragged && event.dataTransfer) event.dataTransfer.dropEffect = "copy";
        setOver(dragged);
      },
      // Without a related target, the pointer has left the window.
      dragleave: (event: DragEvent) => {
        if (!event.relatedTarget) setOver(null);
      },
      drop: (event: DragEvent) => {
        setOver(null);
        if (fromPage || event.defaultPrevented || !draggedOf(event)) return;
        event.preventDefault();
        latest.current(event);
      },
    } as const;
    const entries = Object.entries(listeners) as [string, EventListener][];
    for (const [name, listener] of entries) window.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of entries) window.removeEventListener(name, listener);
    };
  }, []);
  return over;
}
