import { useQuery } from "@tanstack/react-query";
import { BookmarkCheck, Search as SearchIcon, SearchX } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Link, useNavigate } from "react-router";
import { sameKinds } from "~/features/documents/kinds";
import { type RecallIn, recallQuery } from "~/features/search/recall";
import { ResultCard, resultPath } from "~/features/search/result-card";
import { useSavedSearches } from "~/features/search/saved-searches";
import { endOfDay, isDay, plural, startOfDay } from "~/lib/format";
import { useKeys } from "~/lib/keyboard";
import { t } from "~/lib/language";
import { useUrlState } from "~/lib/url-state";
import { useDebounced } from "~/lib/use-debounced";
import { useTitle } from "~/lib/use-title";
import { Button, buttonClass } from "~/ui/button";
import { EmptyState, ErrorState, SkeletonList } from "~/ui/states";
import { DEFAULT_MODE, FilterBar, type Filters, MODES, type Mode } from "./filters";

const FAST_MS = 60;
const PAUSE_MS = 400;
const LIMIT = 20;

/** Below this share of the best score, a result is probably not relevant. */
const LIKELY_SHARE = 0.45;

/** How many of the results, best first, are likely to be relevant. */
function countLikely(scores: number[]): number {
  const first = scores.findIndex((score) => score < LIKELY_SHARE * (scores[0] ?? 0));
  return first < 0 ? scores.length : first;
}

function dayIn(params: URLSearchParams, name: string): string {
  const day = params.get(name) ?? "";
  return isDay(day) ? day : "";
}

function readFilters(params: URLSearchParams): Filters {
  const mode = params.get("mode") as Mode;
  return {
    project: params.get("project") ?? "",
    types: params.getAll("type"),
    tags: params.getAll("tag"),
    after: dayIn(params, "after"),
    before: dayIn(params, "before"),
    mode: MODES.includes(mode) ? mode : DEFAULT_MODE,
    weak: params.has("weak"),
  };
}

function bodyOf(query: string, filters: Filters): RecallIn {
  return {
    query,
    limit: LIMIT,
    explain: true,
    weak: filters.weak,
    ...(filters.project ? { project: filters.project } : {}),
    filters: {
      content_type: sameKinds(filters.types) as NonNullable<RecallIn["filters"]>["content_type"],
      tags: filters.tags,
      ...(filters.after ? { created_after: startOfDay(filters.after) } : {}),
      ...(filters.before ? { created_before: endOfDay(filters.before) } : {}),
    },
  };
}

/** Searches in the mode "fast" while the user types, and in the chosen mode after a pause. */
function useResults(text: string, filters: Filters) {
  const typed = useDebounced(text.trim(), FAST_MS);
  const settled = useDebounced(text.trim(), PAUSE_MS);
  const fast = useQuery({
    ...recallQuery({ ...bodyOf(typed, filters), mode: "fast" }),
    enabled: typed !== settled,
  });
  const full = useQuery(recallQuery({ ...bodyOf(settled, filters), mode: filters.mode }));
  return typed === settled && full.data && !full.isPlaceholderData ? full : fast.data ? fast : full;
}

/** Keeps the text and the URL in sync: typing changes the URL, going back changes the text. */
function useQueryText(inUrl: string, change: (changes: Record<string, string>) => void) {
  const [text, setText] = useState(inUrl);
  const written = useRef(inUrl);
  const settled = useDebounced(text.trim(), PAUSE_MS);
  useEffect(() => {
    if (settled === written.current) return;
    written.current = settled;
    change({ q: settled });
  }, [settled, change]);
  useEffect(() => {
    if (inUrl === written.current) return;
    written.current = inUrl;
    setText(inUrl);
  }, [inUrl]);
  return [text, setText] as const;
}

export default function Search() {
  const [params, change] = useUrlState();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const inUrl = params.get("q") ?? "";
  const [text, setText] = useQueryText(inUrl, change);
  const [selected, setSelected] = useState(0);
  const filters = useMemo(() => readFilters(params), [params]);
  const results = useResults(text, filters);
  const shown = results.data?.results ?? [];
  const likely = text.trim() ? countLikely(shown.map(({ score }) => score)) : shown.length;
  useTitle(inUrl ? `${inUrl} · ${t("Search")}` : t("Search"));
  const open = () => {
    const result = shown[selected];
    if (result) navigate(resultPath(result, text));
  };
  const move = (by: number) =>
    setSelected((at) => Math.max(0, Math.min(shown.length - 1, at + by)));
  useKeys({
    "/": () => field.current?.focus(),
    j: () => move(1),
    k: () => move(-1),
    o: open,
  });
  return (
    <div className="mx-auto w-full max-w-7xl px-4 py-6 sm:px-8 sm:py-8">
      <h1 className="sr-only">{t("Search")}</h1>
      <search className="block max-w-5xl">
        <div className="flex h-11 items-center gap-3 rounded-lg border border-line-strong bg-surface px-4 focus-within:border-accent">
          <SearchIcon size={18} className="text-muted" />
          <input
            ref={field}
            // biome-ignore lint/a11y/noAutofocus: the page is opened to type into this field
            autoFocus
            type="search"
            aria-label={t("Search your memory")}
            placeholder={t("What do you want to know? tag:work finds a tag")}
            value={text}
            dir="auto"
            onChange={(event) => {
              setText(event.target.value);
              setSelected(0);
            }}
            onKeyDown={(event) => {
              if (event.key === "ArrowDown") move(1);
              else if (event.key === "ArrowUp") move(-1);
              else if (event.key === "Enter") open();
              else return;
              event.preventDefault();
            }}
            className="h-full min-w-0 flex-1 bg-transparent text-md outline-none"
          />
        </div>
        {!text.trim() && <Saved />}
        <FilterBar filters={filters} query={inUrl} change={change} />
      </search>
      <div className="mt-5 max-w-5xl" aria-live="polite">
        {results.error ? (
          <ErrorState error={results.error} onRetry={results.refetch} />
        ) : !results.data ? (
          <SkeletonList rows={4} height="h-24 rounded-lg" />
        ) : shown.length ? (
          <>
            <p className="mb-2 text-xs text-muted">
              {text.trim()
                ? t("{results} in {milliseconds} ms", {
                    results: plural(results.data.total, "result"),
                    milliseconds: Math.round(results.data.query_time_ms),
                  })
                : t("Most recent")}
            </p>
            <ol className="space-y-2">
              {shown.map((result, i) => (
                <li key={result.id}>
                  {i > 0 && i === likely && (
                    <p className="pt-4 pb-2 text-xs text-muted">{t("Less likely")}</p>
                  )}
                  <ResultCard result={result} query={text.trim()} selected={i === selected} />
                </li>
              ))}
            </ol>
          </>
        ) : (
          <Nothing
            query={text.trim()}
            suggestion={results.data.suggestion}
            filters={filters}
            search={setText}
            change={change}
          />
        )}
      </div>
    </div>
  );
}

/** Saved searches; on a phone there is no sidebar that lists them. */
function Saved() {
  const { searches } = useSavedSearches();
  if (!searches.length) return null;
  return (
    <nav aria-label={t("Saved searches")} className="mt-3 flex flex-wrap gap-2">
      {searches.map(({ name, to }) => (
        <Link key={to} to={to} className={buttonClass("secondary", "sm")}>
          <BookmarkCheck size={14} /> {name}
        </Link>
      ))}
    </nav>
  );
}

type NothingProps = {
  query: string;
  suggestion: string | null;
  filters: Filters;
  search: (query: string) => void;
  change: (changes: Record<string, string | string[] | null>) => void;
};

function Nothing({ query, suggestion, filters, search, change }: NothingProps) {
  const { project, types, tags, after, before, weak } = filters;
  const narrowed = Boolean(project || types.length || tags.length || after || before);
  const noFilters = { project: null, type: null, tag: null, after: null, before: null };
  return (
    <EmptyState
      icon={SearchX}
      title={query ? t("Nothing about “{query}”", { query }) : t("Nothing saved yet")}
      actions={
        query && (
          <>
            {suggestion && (
              <Button variant="primary" onClick={() => search(suggestion)}>
                {t("Search for “{words}”", { words: suggestion })}
              </Button>
            )}
            {narrowed && (
              <Button
                variant={suggestion ? "secondary" : "primary"}
                onClick={() => change(noFilters)}
              >
                {t("Search without filters")}
              </Button>
            )}
            <Link to={`/ask?q=${encodeURIComponent(query)}`} className={buttonClass()}>
              {t("Ask instead")}
            </Link>
            {!weak && (
              <Button onClick={() => change({ weak: "1" })}>{t("Show the closest results")}</Button>
            )}
          </>
        )
      }
    >
      {narrowed
        ? t("Your filters may hide what you are looking for.")
        : t("Try other or fewer words. Small typing errors are tolerated.")}
    </EmptyState>
  );
}
