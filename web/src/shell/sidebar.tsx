import clsx from "clsx";
import {
  BookmarkCheck,
  LogOut,
  Monitor,
  Moon,
  MoreHorizontal,
  PanelLeft,
  Plus,
  Sun,
  X,
} from "lucide-react";
import { useSyncExternalStore } from "react";
import { NavLink, useLocation } from "react-router";
import { useProjectDrop } from "~/features/documents/dragging";
import { usePins } from "~/features/projects/pins";
import { type Branch, treeOf, useProjects } from "~/features/projects/projects";
import { useSavedSearches } from "~/features/search/saved-searches";
import { usePerson, useSignOut } from "~/features/session/session";
import { number } from "~/lib/format";
import { t } from "~/lib/language";
import { setTheme, type Theme, useTheme } from "~/lib/theme";
import { Button } from "~/ui/button";
import { Menu, MenuItem, MenuLine } from "~/ui/menu";
import { type Destination, MAIN, MORE, PROJECTS } from "./destinations";
import { Logo } from "./logo";

const line =
  "flex h-8 items-center gap-2.5 rounded-md px-2 text-base transition-colors duration-150";

function itemClass({ isActive }: { isActive: boolean }): string {
  return clsx(
    line,
    isActive ? "bg-raised font-medium text-ink" : "text-muted hover:bg-raised hover:text-ink",
  );
}

function Item({ to, label, icon: Icon, keys }: Destination) {
  return (
    <li>
      <NavLink to={to} className={itemClass} title={`${label} (${keys})`} end={to === "/projects"}>
        <Icon size={16} strokeWidth={1.75} />
        {label}
      </NavLink>
    </li>
  );
}

function Projects() {
  const { data = [] } = useProjects();
  const { pins } = usePins();
  const tree = treeOf(data);
  const pinned = tree.filter(({ project }) => pins.includes(project.slug));
  const rest = tree.filter(({ project }) => !pins.includes(project.slug));
  const all = [...pinned.map((branch) => ({ ...branch, depth: 0 })), ...rest];
  const capacity = useCapacity();
  const shown = all.length <= capacity ? all : all.slice(0, capacity - 1);
  return (
    <div className="mt-6">
      <div className="mb-1 flex items-center px-2">
        <NavLink to={PROJECTS.to} end className="text-xs font-medium text-muted hover:text-ink">
          {t("Projects")}
        </NavLink>
        <NavLink
          to="/projects?new=1"
          aria-label={t("New project")}
          className="ms-auto rounded-sm p-1 text-muted hover:bg-raised hover:text-ink"
        >
          <Plus size={14} />
        </NavLink>
      </div>
      <ul>
        {shown.map(({ project, depth }) => (
          <ProjectItem key={project.id} project={project} depth={depth} />
        ))}
        {shown.length < all.length && (
          <li>
            <NavLink to={PROJECTS.to} end className={itemClass}>
              <MoreHorizontal size={16} strokeWidth={1.75} />{" "}
              {t("All {count} projects", { count: number(all.length) })}
            </NavLink>
          </li>
        )}
      </ul>
    </div>
  );
}

/** Documents can be dragged here from a list. */
function ProjectItem({ project, depth }: Branch) {
  const { isOver, props } = useProjectDrop(project);
  return (
    <li {...props}>
      <NavLink
        to={`/projects/${project.slug}`}
        className={(state) =>
          clsx(itemClass(state), isOver && "bg-accent-soft outline-2 outline-accent")
        }
        style={{ paddingInlineStart: 8 + depth * 14 }}
      >
        <span className="flex-1 truncate" dir="auto">
          {project.name}
        </span>
        <span className="text-xs text-muted tabular-nums">{number(project.document_count)}</span>
      </NavLink>
    </li>
  );
}

const ROW_HEIGHT = 32;
/** The height of everything above and below the projects, without the saved searches. */
const OTHER_HEIGHT = 540;
const SEARCHES_HEIGHT = 52;
const MIN_PROJECTS = 4;

/** How many projects fit into the window without scrolling. */
function useCapacity(): number {
  const { searches } = useSavedSearches();
  const height = useSyncExternalStore(
    (listener) => {
      window.addEventListener("resize", listener);
      return () => window.removeEventListener("resize", listener);
    },
    () => window.innerHeight,
  );
  const searchesHeight = searches.length ? SEARCHES_HEIGHT + searches.length * ROW_HEIGHT : 0;
  const available = height - OTHER_HEIGHT - searchesHeight;
  return Math.max(MIN_PROJECTS, Math.floor(available / ROW_HEIGHT));
}

function SavedSearches() {
  const { searches, remove } = useSavedSearches();
  const { pathname, search: here } = useLocation();
  if (!searches.length) return null;
  return (
    <div className="mt-6">
      <div className="mb-1 px-2 text-xs font-medium text-muted">{t("Saved searches")}</div>
      <ul>
        {searches.map((search) => (
          <li key={search.to} className="group relative">
            <NavLink
              to={search.to}
              className={itemClass({ isActive: pathname + here === search.to })}
            >
              <BookmarkCheck size={16} strokeWidth={1.75} className="shrink-0" />
              <span className="truncate">{search.name}</span>
            </NavLink>
            <button
              type="button"
              aria-label={t("Remove the saved search {name}", { name: search.name })}
              className="absolute end-1 top-1.5 rounded-sm p-1 text-muted opacity-0 group-hover:opacity-100 hover:bg-line focus-visible:opacity-100"
              onClick={() => remove(search.to)}
            >
              <X size={12} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const THEMES: { value: Theme; label: string; icon: typeof Sun }[] = [
  { value: "system", label: t("System"), icon: Monitor },
  { value: "light", label: t("Light"), icon: Sun },
  { value: "dark", label: t("Dark"), icon: Moon },
];

function Account() {
  const person = usePerson();
  const signOut = useSignOut();
  const theme = useTheme();
  const initial = (person.name || person.email).slice(0, 1).toUpperCase();
  return (
    <Menu
      trigger={
        <button
          type="button"
          className={clsx(line, "w-full text-muted hover:bg-raised hover:text-ink")}
        >
          <span className="grid size-5 place-items-center rounded-full bg-accent-soft text-xs font-semibold text-accent">
            {initial}
          </span>
          <span className="truncate">{person.name || person.email}</span>
        </button>
      }
    >
      {THEMES.map(({ value, label }) => (
        <MenuItem key={value} stay checked={theme === value} onSelect={() => setTheme(value)}>
          {label}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => signOut.mutate()}>
        <span className="flex items-center gap-2">
          <LogOut size={14} /> {t("Sign out")}
        </span>
      </MenuItem>
    </Menu>
  );
}

export function Sidebar({ onCollapse }: { onCollapse: () => void }) {
  return (
    <nav
      aria-label={t("Main")}
      className="hidden w-60 shrink-0 flex-col border-e bg-bg p-2 sm:flex print:hidden"
    >
      <div className="mb-3 flex h-9 items-center px-2">
        <Logo />
        <Button
          variant="quiet"
          size="icon"
          aria-label={t("Hide the sidebar")}
          title={t("Hide the sidebar ([)")}
          className="ms-auto"
          onClick={onCollapse}
        >
          <PanelLeft size={16} />
        </Button>
      </div>
      <div className="-mx-2 flex-1 overflow-y-auto px-2">
        <ul>
          {MAIN.map((destination) => (
            <Item key={destination.to} {...destination} />
          ))}
        </ul>
        <SavedSearches />
        <Projects />
      </div>
      <ul className="mt-2 border-t pt-2">
        {MORE.map((destination) => (
          <Item key={destination.to} {...destination} />
        ))}
        <li>
          <Account />
        </li>
      </ul>
    </nav>
  );
}
