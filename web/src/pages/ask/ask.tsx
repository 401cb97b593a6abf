import { useQuery } from "@tanstack/react-query";
import { History, MessageCircleQuestion, SlidersHorizontal, SquarePen, X } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { modelsQuery } from "~/features/account/account";
import { exchangesOf, sessionQuery, sessionsQuery } from "~/features/ask/ask";
import { ProjectSelect } from "~/features/projects/project-select";
import { dayOf, isDay, longDay } from "~/lib/format";
import { isId } from "~/lib/ids";
import { t } from "~/lib/language";
import { useUrlState } from "~/lib/url-state";
import { useStored } from "~/lib/use-stored";
import { useTitle } from "~/lib/use-title";
import { Button } from "~/ui/button";
import { DateInput } from "~/ui/input";
import { PageLayout } from "~/ui/layout";
import { Menu, MenuItem, Popover } from "~/ui/menu";
import { Loaded, SkeletonList } from "~/ui/states";
import { Conversation } from "./conversation";

export default function AskPage() {
  useTitle(t("Ask"));
  const [params, change] = useUrlState();
  const requested = params.get("session") ?? "";
  const session = isId(requested) ? requested : "";
  // A conversation started here gets its session while it is shown and is not loaded again.
  const [newSession, setNewSession] = useState<string | null>(null);
  const [startCount, setStartCount] = useState(0);
  const isStored = session !== "" && session !== newSession;
  const project = params.get("project") ?? "";
  const limit = params.get("as_of") ?? "";
  const asOf = isDay(limit) ? limit : "";
  const start = () => {
    setNewSession(null);
    setStartCount(startCount + 1);
    change({ session: null, q: null });
  };
  const shared = {
    project,
    asOf,
    question: params.get("q") ?? "",
    onSession: (id: string) => {
      setNewSession(id);
      change({ session: id, q: null });
    },
  };
  return (
    <PageLayout
      title={t("Ask")}
      width="reading"
      actions={
        <>
          <Earlier />
          <Popover
            label={t("Filters")}
            trigger={
              <Button
                variant="quiet"
                size="icon"
                aria-label={t("Filters")}
                title={t("Filters")}
                className={project || asOf ? "text-accent!" : undefined}
              >
                <SlidersHorizontal size={16} />
              </Button>
            }
          >
            <div className="space-y-3">
              <ProjectSelect
                label={t("Project")}
                none={t("All projects")}
                value={project}
                onChange={(slug) => change({ project: slug })}
                className="w-full"
              />
              <DateInput
                label={t("What I knew on")}
                value={asOf}
                onChange={(day) => change({ as_of: day >= dayOf(new Date()) ? null : day })}
              />
            </div>
          </Popover>
          <Button
            variant="quiet"
            size="icon"
            aria-label={t("New conversation")}
            title={t("New conversation")}
            onClick={start}
            disabled={!session}
          >
            <SquarePen size={16} />
          </Button>
        </>
      }
    >
      {asOf && (
        <p
          role="status"
          className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted"
        >
          {t("Answers use only what you knew at the end of {day}.", { day: longDay(asOf) })}
          <Button size="sm" variant="quiet" onClick={() => change({ as_of: null })}>
            {t("Use everything")}
          </Button>
        </p>
      )}
      {isStored ? (
        <StoredConversation key={session} session={session} {...shared} />
      ) : (
        <Conversation key={`new-${startCount}`} session={session} initial={[]} {...shared} />
      )}
      <NoModel />
    </PageLayout>
  );
}

type StoredProps = {
  session: string;
  project: string;
  asOf: string;
  question: string;
  onSession: (id: string) => void;
};

function StoredConversation({ session, ...rest }: StoredProps) {
  const query = useQuery(sessionQuery(session));
  return (
    <Loaded query={query} skeleton={<SkeletonList rows={3} height="h-20" />}>
      {(data) => (
        <Conversation
          session={session}
          initial={exchangesOf(data)}
          closed={data.closedAt !== null}
          {...rest}
        />
      )}
    </Loaded>
  );
}

function Earlier() {
  const { data = [] } = useQuery(sessionsQuery);
  const navigate = useNavigate();
  if (!data.length) return null;
  return (
    <Menu
      trigger={
        <Button variant="quiet" size="icon" aria-label={t("Earlier")} title={t("Earlier")}>
          <History size={16} />
        </Button>
      }
    >
      {data.map(({ id, title }) => (
        <MenuItem key={id} onSelect={() => navigate(`/ask?session=${id}`)}>
          <span className="flex max-w-72 items-center gap-2">
            <MessageCircleQuestion size={14} className="shrink-0 text-muted" />
            <span className="truncate">{title ?? t("Conversation")}</span>
          </span>
        </MenuItem>
      ))}
    </Menu>
  );
}

/** A notice that no language model is configured, until it is dismissed. */
function NoModel() {
  const { data } = useQuery(modelsQuery);
  const [seen, setSeen] = useStored("remem.ask.no-model", false);
  const language = data?.find((model) => model.use === "language");
  if (seen || !language || language.model) return null;
  return (
    <div role="note" className="flex items-start gap-3 pb-2 text-xs text-muted">
      <p className="flex-1">
        {t(
          "No language model is configured. Answers are quoted from your own sentences: short, and never reworded. You can configure a language model in the server's settings.",
        )}
      </p>
      <button
        type="button"
        aria-label={t("Do not show this again")}
        className="rounded-sm p-0.5 hover:bg-raised hover:text-ink"
        onClick={() => setSeen(true)}
      >
        <X size={14} />
      </button>
    </div>
  );
}
