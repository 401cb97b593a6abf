import { CalendarClock } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useProject } from "~/features/projects/projects";
import { shortDate } from "~/lib/format";
import { Chip } from "~/ui/chip";
import { Time } from "~/ui/time";
import { CategoryIcon, categoryName } from "./categories";
import type { Memory } from "./memories";

type Props = {
  memory: Memory;
  actions?: ReactNode;
  hideProject?: boolean;
};

/** A memory with its category, project, source and dates. */
export function MemoryLine({ memory, actions, hideProject }: Props) {
  const project = useProject(memory.projectId);
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
        <div className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
          <span>{categoryName(memory.category)}</span>
          {!hideProject && <span>· {project?.name ?? memory.project}</span>}
          {memory.speaker && memory.speaker !== "user" && <span>· said by {memory.speaker}</span>}
          <span>
            · <Time at={memory.createdAt} />
          </span>
          {memory.version > 1 && <span>· version {memory.version}</span>}
          {memory.dueAt && (
            <Chip tone={Date.parse(memory.dueAt) < Date.now() ? "danger" : "warning"}>
              <CalendarClock size={12} className="me-1 inline" aria-hidden />
              Due {shortDate(memory.dueAt)}
            </Chip>
          )}
        </div>
      </div>
      {actions && <div className="flex shrink-0 gap-1">{actions}</div>}
    </div>
  );
}
