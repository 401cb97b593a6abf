import { CalendarClock } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useProjectLabel } from "~/features/projects/projects";
import { shortDate } from "~/lib/format";
import { t } from "~/lib/language";
import { Chip } from "~/ui/chip";
import { Meta } from "~/ui/meta";
import { Time } from "~/ui/time";
import { CategoryIcon, categoryName } from "./categories";
import { isSomeoneElse, type Memory } from "./memories";

type Props = {
  memory: Memory;
  actions?: ReactNode;
  hideProject?: boolean;
};

/** A memory with its category, project, source and dates. */
export function MemoryLine({ memory, actions, hideProject }: Props) {
  const project = useProjectLabel(memory.projectId);
  return (
    <div className="flex min-w-0 flex-1 items-start gap-3">
      <span className="mt-1">
        <CategoryIcon category={memory.category} />
      </span>
      <div className="min-w-0 flex-1">
        <Link
          to={`/memories/${memory.partOf ?? memory.id}`}
          className="block text-base break-words hover:text-accent"
          dir="auto"
        >
          {memory.content}
        </Link>
        <Meta className="mt-1">
          <span>{categoryName(memory.category)}</span>
          {!hideProject && project && <span>{project}</span>}
          {isSomeoneElse(memory.speaker) && (
            <span>{t("said by {name}", { name: memory.speaker })}</span>
          )}
          <Time at={memory.createdAt} />
          {memory.dueAt && (
            <Chip tone={Date.parse(memory.dueAt) < Date.now() ? "danger" : "warning"}>
              <CalendarClock size={12} className="me-1 inline" aria-hidden />
              {t("Due {date}", { date: shortDate(memory.dueAt) })}
            </Chip>
          )}
        </Meta>
      </div>
      {actions && <div className="flex shrink-0 gap-1">{actions}</div>}
    </div>
  );
}
