import { PanelLeft, Plus, Search } from "lucide-react";
import { useLocation } from "react-router";
import { PendingButton } from "~/features/documents/pending-list";
import { JobRing } from "~/features/jobs/job-ring";
import { modifier } from "~/lib/keyboard";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Kbd } from "~/ui/kbd";

type Props = {
  collapsed: boolean;
  onExpand: () => void;
  onAdd: () => void;
  onSearch: () => void;
};

export function TopBar({ collapsed, onExpand, onAdd, onSearch }: Props) {
  const { pathname } = useLocation();
  return (
    <header className="flex h-12 shrink-0 items-center gap-2 border-b bg-bg px-3 sm:px-4 print:hidden">
      {collapsed && (
        <Button
          variant="quiet"
          size="icon"
          aria-label={t("Show the sidebar")}
          className="max-sm:hidden"
          onClick={onExpand}
        >
          <PanelLeft size={16} />
        </Button>
      )}
      {/* The search page has a field of its own. */}
      {pathname !== "/search" && (
        <button
          type="button"
          aria-keyshortcuts="Control+K"
          onClick={onSearch}
          className="flex h-8 max-w-md flex-1 items-center gap-2 rounded-md border bg-surface px-2.5 text-sm text-muted transition-colors duration-150 hover:border-line-strong"
        >
          <Search size={14} />
          <span className="flex-1 truncate text-start">{t("Find anything")}</span>
          <span className="hidden gap-1 sm:flex">
            <Kbd>{modifier}</Kbd>
            <Kbd>K</Kbd>
          </span>
        </button>
      )}
      <div className="ms-auto flex items-center gap-2">
        <PendingButton onOpen={onAdd} />
        <JobRing />
        <Button variant="primary" onClick={onAdd} title={t("Add (n)")}>
          <Plus size={16} />
          {t("Add")}
        </Button>
      </div>
    </header>
  );
}
