import clsx from "clsx";
import { memo } from "react";
import { Link } from "react-router";
import { useProjectLabel } from "~/features/projects/projects";
import { t } from "~/lib/language";
import { plainText } from "~/lib/plain-text";
import { Time } from "~/ui/time";
import { addressOf, FlagSigns, StatusChip } from "./document-card";
import type { RowProps } from "./document-list";
import { tagsOf } from "./documents";
import { dragProps } from "./dragging";
import { KindIcon } from "./kinds";

function Row({ document, selected, current, onToggle }: RowProps) {
  const project = useProjectLabel(document.project_id);
  return (
    <div
      {...dragProps([document.id])}
      className={clsx(
        "relative flex h-[45px] items-center gap-3 border-b px-4 text-sm max-sm:gap-2 max-sm:px-3",
        selected ? "bg-accent-soft" : "hover:bg-raised",
        current && "outline-2 -outline-offset-2 outline-accent",
      )}
    >
      <input
        type="checkbox"
        aria-label={t("Select {title}", { title: document.title })}
        checked={selected}
        onChange={() => onToggle(document.id)}
        className="relative z-10 size-4 accent-(--accent)"
      />
      <span className="text-muted">
        <KindIcon type={document.content_type} />
      </span>
      <Link
        to={addressOf(document)}
        className="min-w-0 flex-1 truncate font-medium after:absolute after:inset-0"
        dir="auto"
      >
        {plainText(document.title).text || t("Untitled")}
      </Link>
      <FlagSigns document={document} />
      <StatusChip status={document.status} narrow />
      <span className="hidden max-w-52 truncate text-muted lg:block">
        {tagsOf(document)
          .map((tag) => `#${tag}`)
          .join(" ")}
      </span>
      {project && <span className="hidden w-28 truncate text-muted md:block">{project}</span>}
      <span className="text-end text-muted max-sm:text-xs sm:w-24">
        <Time at={document.created_at} />
      </span>
    </div>
  );
}

/** Memoized, so that a long list renders only the rows that changed. */
export const DocumentRow = memo(Row);
