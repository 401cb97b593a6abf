import { useEffect, useState } from "react";
import { ask, type Hit } from "@/lib/messages";
import { Notice } from "@/lib/ui/notice";
import { t } from "@/lib/words";

const PAUSE_MS = 250;
const LIMIT = 6;

/** Shows results while the user types; each one opens the web app. */
export function Search() {
  const [query, setQuery] = useState("");
  const [hits, setHits] = useState<Hit[]>();
  const [problem, setProblem] = useState("");

  useEffect(() => {
    let current = true;
    const text = query.trim();
    setProblem("");
    if (!text) return setHits(undefined);
    const timer = setTimeout(async () => {
      try {
        const results = await ask({ type: "recall", query: text, limit: LIMIT });
        if (current) setHits(results);
      } catch (error) {
        if (current) setProblem((error as Error).message);
      }
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [query]);

  return (
    <search className="search">
      <label htmlFor="query">{t("quick_search")}</label>
      <input
        id="query"
        type="search"
        className="input"
        value={query}
        placeholder={t("search_hint")}
        onChange={(event) => setQuery(event.target.value)}
      />
      {problem && <Notice tone="bad">{problem}</Notice>}
      {hits &&
        !problem &&
        (hits.length ? <Results hits={hits} /> : <p className="hint">{t("nothing_found")}</p>)}
    </search>
  );
}

function Results({ hits }: { hits: Hit[] }) {
  return (
    <ul className="results">
      {hits.map((hit) => (
        <li key={hit.id}>
          <a href={hit.url} target="_blank" rel="noopener noreferrer">
            <span className="title">
              <span dir="auto">{hit.title}</span>
              <time dateTime={hit.date}>{hit.date}</time>
            </span>
            {hit.text !== hit.title && <p dir="auto">{hit.text}</p>}
          </a>
        </li>
      ))}
    </ul>
  );
}
