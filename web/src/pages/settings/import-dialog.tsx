import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { ProjectField } from "~/features/projects/project-select";
import { previewQuery, startImport } from "~/features/transfer/transfer";
import { messageOf, type Schemas } from "~/lib/api";
import { bytes, list, number, plural } from "~/lib/format";
import { t } from "~/lib/language";
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
  netscape: t("a browser's bookmarks"),
  obsidian: "Obsidian",
  pocket: "Pocket",
  raindrop: "Raindrop.io",
  slack: "Slack",
  supermemory: "Supermemory",
};

/** The name of a kind, and of several. */
const KINDS: Record<string, [name: string, counted: (count: number) => string]> = {
  talk: [t("conversation"), (count) => plural(count, "conversation")],
  memory: [t("memory"), (count) => plural(count, "memory", "memories")],
  document: [t("document"), (count) => plural(count, "document")],
  project: [t("project"), (count) => plural(count, "project")],
  session: [t("conversation"), (count) => plural(count, "conversation")],
  tag: [t("tag"), (count) => plural(count, "tag")],
};

const nameOf = (kind: string) => KINDS[kind]?.[0] ?? kind.replaceAll("_", " ");
const countOf = (kind: string, count: number) =>
  KINDS[kind]?.[1](count) ?? `${nameOf(kind)}: ${number(count)}`;

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
    <Dialog
      open
      title={t("Import {name}?", { name: file.name })}
      description={bytes(file.size)}
      onClose={onClose}
    >
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
            label={t("Save to project")}
            none={t("Default project")}
            value={project}
            onChange={setProject}
          />
        )}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{t("Cancel")}</Button>
        <Button variant="primary" busy={busy} disabled={!preview.data} onClick={start}>
          {busy ? t("Sending…") : t("Import")}
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
        {origin === "remem"
          ? t("An export of remem")
          : t("From {product}", { product: PRODUCTS[origin] ?? origin })}
        {": "}
        {list(nonZero.map(([kind, count]) => countOf(kind, count)))}
        {!nonZero.length && t("It contains nothing that can be imported.")}
        {more && ` ${t("or more")}`}
      </p>
      {examples.length > 0 && (
        <ul className="space-y-1 rounded-md bg-raised p-3" aria-label={t("Examples")}>
          {examples.slice(0, EXAMPLES).map(({ kind, label }, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two examples can have the same words
            <li key={`${label}-${i}`} className="flex gap-2">
              <span className="w-24 shrink-0 text-muted first-letter:uppercase">
                {nameOf(kind)}
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
            {t("{items} would be left out", { items: plural(leftOut.length, "item") })}
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
