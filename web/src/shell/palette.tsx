import { useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import {
  ArrowRight,
  Brain,
  FolderTree,
  Keyboard,
  MessageCircleQuestion,
  Moon,
  Plus,
  Search,
  Sun,
} from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { KindIcon } from "~/features/documents/kinds";
import { useProjects } from "~/features/projects/projects";
import { recallQuery } from "~/features/search/recall";
import { t } from "~/lib/language";
import { setTheme, useIsDark } from "~/lib/theme";
import { useDebounced } from "~/lib/use-debounced";
import { MAIN, MORE, PROJECTS } from "./destinations";

const TYPING_MS = 80;
const MAX_PROJECTS = 5;
/** The words that each action is found by. */
const [ADD, THEME, KEYS] = [
  t("Add something"),
  `${t("Light theme")} ${t("Dark theme")} theme`,
  `${t("Keyboard shortcuts")} keys`,
] as const;
const ACTIONS = [ADD, THEME, KEYS];
const row =
  "flex h-9 cursor-default items-center gap-3 rounded-md px-3 text-base select-none data-[selected=true]:bg-raised";
const group =
  "[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-3 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted";

type Props = { onClose: () => void; onAdd: () => void; onKeys: () => void };

export default function Palette({ onClose, onAdd, onKeys }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const dark = useIsDark();
  const typed = text.trim();
  const query = useDebounced(typed, TYPING_MS);
  const recall = useQuery({
    ...recallQuery({ query, mode: "fast", limit: 8 }),
    enabled: query.length > 1,
  });
  const { data: projects = [] } = useProjects();
  const [chosen, setChosen] = useState("");
  const results = (query && recall.data?.results) || [];
  // Enter must not open a result of an earlier query.
  const isCurrent = query === typed && !recall.isPlaceholderData;
  const first = (isCurrent && results[0]?.id) || "search-all";
  useEffect(() => setChosen(typed ? first : (MAIN[0]?.to ?? "")), [typed, first]);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector("input")?.focus();
    return () => element?.close();
  }, []);
  const act = (action: () => void) => () => {
    onClose();
    action();
  };
  const go = (to: string) => act(() => navigate(to));
  const matches = (label: string) => label.toLowerCase().includes(typed.toLowerCase());
  const places = [...MAIN, PROJECTS, ...MORE].filter(({ label }) => matches(label));
  const named = projects.filter(({ name }) => typed && matches(name)).slice(0, MAX_PROJECTS);
  return (
    <dialog
      ref={dialog}
      aria-label={t("Find anything")}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => event.target === event.currentTarget && onClose()}
      className="mx-auto mt-[12vh] mb-auto w-full max-w-xl rounded-xl border border-line-strong bg-surface p-0 text-ink max-sm:mt-3 max-sm:max-w-[calc(100vw-24px)]"
    >
      <Command
        label={t("Find anything")}
        shouldFilter={false}
        loop
        value={chosen}
        onValueChange={setChosen}
      >
        <div className="flex items-center gap-3 border-b px-4">
          <Search size={16} className="text-muted" />
          <Command.Input
            value={text}
            onValueChange={setText}
            placeholder={t("Search your memory, or go somewhere…")}
            className="h-12 flex-1 bg-transparent text-md outline-none"
          />
        </div>
        <Command.List className="max-h-[60vh] overflow-y-auto p-1 pb-2">
          {typed && (
            <Command.Group heading={t("Results")} className={group}>
              {results.map((result) => (
                <Item
                  key={result.id}
                  value={result.id}
                  onSelect={go(`/${result.kind === "memory" ? "memories" : "memory"}/${result.id}`)}
                  icon={
                    result.kind === "memory" ? (
                      <Brain size={16} strokeWidth={1.75} />
                    ) : (
                      <KindIcon type={result.content_type} />
                    )
                  }
                >
                  {result.title}
                </Item>
              ))}
              <Item
                value="search-all"
                onSelect={go(`/search?q=${encodeURIComponent(typed)}`)}
                icon={<ArrowRight size={16} />}
              >
                {t("Search for “{words}”", { words: typed })}
              </Item>
              <Item
                value="ask"
                onSelect={go(`/ask?q=${encodeURIComponent(typed)}`)}
                icon={<MessageCircleQuestion size={16} strokeWidth={1.75} />}
              >
                {t("Ask “{words}”", { words: typed })}
              </Item>
            </Command.Group>
          )}
          {(places.length > 0 || named.length > 0) && (
            <Command.Group heading={t("Go to")} className={group}>
              {places.map(({ to, label, icon: Icon, keys }) => (
                <Item
                  key={to}
                  value={to}
                  onSelect={go(to)}
                  icon={<Icon size={16} strokeWidth={1.75} />}
                  keys={keys}
                >
                  {label}
                </Item>
              ))}
              {named.map(({ slug, name }) => (
                <Item
                  key={slug}
                  value={`project-${slug}`}
                  onSelect={go(`/projects/${slug}`)}
                  icon={<FolderTree size={16} strokeWidth={1.75} />}
                >
                  {name}
                </Item>
              ))}
            </Command.Group>
          )}
          {ACTIONS.some(matches) && (
            <Command.Group heading={t("Actions")} className={group}>
              {matches(ADD) && (
                <Item value="add" onSelect={act(onAdd)} icon={<Plus size={16} />} keys="n">
                  {t("Add something")}
                </Item>
              )}
              {matches(THEME) && (
                <Item
                  value="theme"
                  onSelect={act(() => setTheme(dark ? "light" : "dark"))}
                  icon={dark ? <Sun size={16} /> : <Moon size={16} />}
                >
                  {dark ? t("Light theme") : t("Dark theme")}
                </Item>
              )}
              {matches(KEYS) && (
                <Item value="keys" onSelect={act(onKeys)} icon={<Keyboard size={16} />} keys="?">
                  {t("Keyboard shortcuts")}
                </Item>
              )}
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </dialog>
  );
}

type ItemProps = {
  value: string;
  icon: ReactNode;
  keys?: string;
  onSelect: () => void;
  children: ReactNode;
};

function Item({ value, icon, keys, onSelect, children }: ItemProps) {
  return (
    <Command.Item value={value} onSelect={onSelect} className={row}>
      <span className="text-muted">{icon}</span>
      <span className="flex-1 truncate" dir="auto">
        {children}
      </span>
      {keys && <span className="font-mono text-xs text-muted">{keys}</span>}
    </Command.Item>
  );
}
