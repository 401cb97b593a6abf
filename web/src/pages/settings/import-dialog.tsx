import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { ProjectField } from "~/features/projects/project-select";
import { previewQuery, startImport } from "~/features/transfer/transfer";
import { messageOf, type Schemas } from "~/lib/api";
import { bytes, plural } from "~/lib/format";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { ErrorText, SkeletonList } from "~/ui/states";

type Props = { file: File; onStarted: (job: string) => void; onClose: () => void };

const EXAMPLES = 6;
const LEFT_OUT_SHOWN = 5;

const PRODUCTS: Record<string, string> = {
  chatgpt: "ChatGPT",
  claude: "Claude",
  karakeep: "Karakeep",
  mem0: "Mem0",
  netscape: "a browser's bookmarks",
  obsidian: "Obsidian",
  pocket: "Pocket",
  raindrop: "Raindrop.io",
  slack: "Slack",
  supermemory: "Supermemory",
};

/** The singular and plural names of a kind. */
function namesOf(kind: string): [singular: string, plural: string] {
  if (kind === "talk") return ["conversation", "conversations"];
  if (kind === "memory") return ["memory", "memories"];
  const name = kind.replaceAll("_", " ");
  return [name, name.endsWith("y") ? `${name.slice(0, -1)}ies` : `${name}s`];
}

/** Shows what is in a file before it is imported. */
export function ImportDialog({ file, onStarted, onClose }: Props) {
  const preview = useQuery(previewQuery(file));
  const [project, setProject] = useState("");
  const [busy, setBusy] = useState(false);
  const isOwn = preview.data?.origin === "remem";
  async function start() {
    setBusy(true);
    try {
      onStarted(await startImport(file, project));
    } catch (error) {
      toast.error(messageOf(error));
      setBusy(false);
    }
  }
  return (
    <Dialog open title={`Import ${file.name}?`} description={bytes(file.size)} onClose={onClose}>
      <div className="space-y-4">
        {preview.error ? (
          <ErrorText>{messageOf(preview.error)}</ErrorText>
        ) : preview.data ? (
          <Preview preview={preview.data} />
        ) : (
          <SkeletonList rows={4} height="h-5" />
        )}
        {preview.data && !isOwn && (
          <ProjectField
            label="Save to project"
            none="Default project"
            value={project}
            onChange={setProject}
          />
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" busy={busy} disabled={!preview.data} onClick={start}>
          {busy ? "Sending…" : "Import"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Preview({ preview }: { preview: Schemas["PreviewOut"] }) {
  const { origin, counts, examples, left_out: leftOut, more } = preview;
  const nonZero = Object.entries(counts).filter(([, count]) => count > 0);
  return (
    <div className="space-y-3 text-sm">
      <p>
        {origin === "remem" ? "An export of remem" : `From ${PRODUCTS[origin] ?? origin}`}
        {nonZero.length ? ": " : ". It contains nothing that can be imported."}
        {nonZero.map(([kind, count]) => plural(count, ...namesOf(kind))).join(", ")}
        {more && " or more"}
      </p>
      {examples.length > 0 && (
        <ul className="space-y-1 rounded-md bg-raised p-3" aria-label="Examples">
          {examples.slice(0, EXAMPLES).map(({ kind, label }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two examples can have the same words
            <li key={`${label}-${i}`} className="flex gap-2">
              <span className="w-24 shrink-0 text-muted first-letter:uppercase">
                {namesOf(kind)[0]}
              </span>
              <span className="min-w-0 truncate" dir="auto" title={label}>
                {label}
              </span>
            </li>
          ))}
        </ul>
      )}
      {leftOut.length > 0 && (
        <details>
          <summary className="cursor-pointer text-warning">
            {plural(leftOut.length, "item")} would be left out
          </summary>
          <ul className="mt-2 space-y-1 text-muted">
            {leftOut.slice(0, LEFT_OUT_SHOWN).map(({ reference, reason }) => (
              <li key={reference} className="break-words">
                {reference}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
