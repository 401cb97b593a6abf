import { type FormEvent, useEffect, useState } from "react";
import { browser } from "wxt/browser";
import type { Draft, FileDraft } from "@/lib/draft";
import { ask, type Project, type SaveResult, type Status } from "@/lib/messages";
import { patternFor } from "@/lib/server/address";
import { Notice } from "@/lib/ui/notice";
import { t, type Word } from "@/lib/words";

type Props = {
  tab: number | undefined;
  draft: Draft | undefined;
  status: Status;
  onSaved: (result?: SaveResult) => void;
};

export function SaveForm({ tab, draft, status, onSaved }: Props) {
  const [title, setTitle] = useState("");
  const [project, setProject] = useState(status.lastProject ?? "");
  const [tags, setTags] = useState("");
  const [forget, setForget] = useState(false);
  const [unread, setUnread] = useState(false);
  const [copy, setCopy] = useState(false);
  // A copy is of a page, not of some of its words.
  const isPage = draft?.kind === "text" && !draft.metadata.selection;
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<SaveResult>();
  const [problem, setProblem] = useState("");
  const projects = useList<Project>(() => ask({ type: "projects" }));
  const knownTags = useList<string>(() => ask({ type: "tags" }));
  // Keep what the user typed while the page was read.
  useEffect(() => setTitle((typed) => typed || (draft?.title ?? "")), [draft]);

  async function save(event: FormEvent) {
    event.preventDefault();
    if (!draft) return;
    const access = draft.kind === "file" ? requestFileAccess(draft) : Promise.resolve(true);
    setBusy(true);
    setProblem("");
    const choices = {
      title: title.trim(),
      project: project || undefined,
      tags: split(tags),
      forget,
      unread,
      copy: copy && isPage,
    };
    let saved: SaveResult | undefined;
    try {
      const saving = ask({ type: "save", draft, choices, ...(tab === undefined ? {} : { tab }) });
      saving.catch(() => undefined);
      if (!(await access)) throw new Error(t("problem_access"));
      saved = await saving;
    } catch (error) {
      setProblem((error as Error).message);
    }
    setResult(saved);
    setBusy(false);
    onSaved(saved);
  }

  return (
    <form onSubmit={save}>
      <h1>{t(questionFor(draft))}</h1>
      <div className="labelled">
        <label htmlFor="title">{t("title")}</label>
        <input
          id="title"
          className="input"
          value={title}
          maxLength={500}
          placeholder={draft ? undefined : t("reading_page")}
          onChange={(event) => setTitle(event.target.value)}
        />
      </div>
      <div className="labelled">
        <label htmlFor="project">{t("project")}</label>
        <ProjectList id="project" value={project} projects={projects} onChange={setProject} />
      </div>
      <div className="labelled">
        <label htmlFor="tags">{t("tags")}</label>
        <TagsInput id="tags" value={tags} known={knownTags} onChange={setTags} />
      </div>
      <label className="check">
        <input
          type="checkbox"
          checked={unread}
          onChange={(event) => setUnread(event.target.checked)}
        />
        {t("read_later")}
      </label>
      {isPage && (
        <label className="check">
          <input
            type="checkbox"
            checked={copy}
            onChange={(event) => setCopy(event.target.checked)}
          />
          {t("keep_copy")}
        </label>
      )}
      <label className="check">
        <input
          type="checkbox"
          checked={forget}
          onChange={(event) => setForget(event.target.checked)}
        />
        {t("forget")}
      </label>
      <Warnings draft={draft} />
      <div className="actions">
        <button type="submit" className="button primary" disabled={!draft || busy} aria-busy={busy}>
          {busy ? t("saving") : t("save_to_memory")}
        </button>
        <button type="button" className="button" onClick={() => window.close()}>
          {t(result ? "close" : "cancel")}
        </button>
      </div>
      {result && <Result result={result} base={status.base} />}
      {result?.copy === "too_large" && <Notice tone="warning">{t("copy_too_large")}</Notice>}
      {result?.copy === "failed" && <Notice tone="warning">{t("copy_failed")}</Notice>}
      {problem && <Notice tone="bad">{problem}</Notice>}
    </form>
  );
}

/** Requests access to the file. In Firefox the permission for the tab does not include it, and can be requested only
 * during the click. */
function requestFileAccess(draft: FileDraft): Promise<boolean> {
  if (!import.meta.env.FIREFOX) return Promise.resolve(true);
  return browser.permissions.request({ origins: [patternFor(draft.url)] });
}

function questionFor(draft: Draft | undefined): Word {
  if (draft?.kind === "file") return "save_file";
  return draft?.kind === "text" && draft.metadata.selection ? "save_selection" : "save_page";
}

/** Warnings about the draft, for example that it was cut or has no transcript. */
function Warnings({ draft }: { draft: Draft | undefined }) {
  if (draft?.kind !== "text") return null;
  const number = new Intl.NumberFormat(t("language"));
  return (
    <>
      {draft.cutFrom && (
        <Notice tone="warning">
          {t("cut", number.format(draft.content.length), number.format(draft.cutFrom))}
        </Notice>
      )}
      {draft.notice && <Notice tone="warning">{t(`notice_${draft.notice}`)}</Notice>}
    </>
  );
}

function Result({ result, base }: { result: SaveResult; base: string }) {
  if (result.status === "waiting") {
    const text = [result.problem, t("waiting", result.waiting)].filter(Boolean).join(" ");
    return <Notice tone="warning">{text}</Notice>;
  }
  return (
    <Notice tone="good">
      {sentenceFor(result)}{" "}
      {result.id && (
        <a
          href={`${base}/memory/${encodeURIComponent(result.id)}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t("open_saved")}
        </a>
      )}
    </Notice>
  );
}

/** The fields that the user fills in, as the server calls them. */
const FIELDS: [string, Word][] = [
  ["title", "title"],
  ["forget_after", "forget"],
];

function existingSentence({ addedTags = [], notTaken = [] }: SaveResult): string {
  const kept = FIELDS.filter(([field]) => notTaken.includes(field)).map(([, word]) => t(word));
  const added = addedTags.length ? t("existing_tags", addedTags.join(", ")) : t("existing");
  return kept.length ? `${added} ${t("existing_kept", kept.join(", "))}` : added;
}

function sentenceFor(result: SaveResult): string {
  const { status, chunks } = result;
  if (status === "existing") return existingSentence(result);
  if (status === "processing") return t("processing");
  return t(chunks === 1 ? "saved_one" : "saved_many", chunks);
}

type ListProps = { id: string; value: string; projects: Project[]; onChange: (id: string) => void };

/** The list of projects, with the last used one first. */
function ProjectList({ id, value, projects, onChange }: ListProps) {
  // The last used project may have been deleted.
  const existing = projects.some((project) => project.id === value) ? value : "";
  const chosen = existing || projects.find(({ isDefault }) => isDefault)?.id || "";
  const sorted = [...projects].sort(
    (first, second) => Number(second.id === value) - Number(first.id === value),
  );
  return (
    <select
      id={id}
      className="input"
      value={chosen}
      onChange={(event) => onChange(event.target.value)}
    >
      {!projects.length && <option value="">{t("default_project")}</option>}
      {sorted.map((project) => (
        <option key={project.id} value={project.id}>
          {project.name}
        </option>
      ))}
    </select>
  );
}

type TagsProps = { id: string; value: string; known: string[]; onChange: (tags: string) => void };

/** Completes the word after the last comma. */
function TagsInput({ id, value, known, onChange }: TagsProps) {
  const before = value.includes(",") ? `${value.slice(0, value.lastIndexOf(",") + 1)} ` : "";
  const used = new Set(split(value));
  return (
    <>
      <input
        id={id}
        className="input"
        list="known-tags"
        value={value}
        placeholder={t("tags_hint")}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id="known-tags">
        {known
          .filter((tag) => !used.has(tag))
          .slice(0, 50)
          .map((tag) => (
            <option key={tag} value={before + tag} />
          ))}
      </datalist>
    </>
  );
}

export function split(tags: string): string[] {
  return [
    ...new Set(
      tags
        .split(",")
        .map((tag) => tag.trim().replace(/^#/, ""))
        .filter(Boolean),
    ),
  ];
}

function useList<T>(fetchAll: () => Promise<T[]>): T[] {
  const [list, setList] = useState<T[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: fetched once, when the popup opens
  useEffect(() => {
    fetchAll().then(setList, () => undefined);
  }, []);
  return list;
}
