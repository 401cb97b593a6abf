import { useQuery } from "@tanstack/react-query";
import { FileText, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { eventLabel } from "~/features/activity/events";
import { documentQuery } from "~/features/documents/documents";
import { plainName } from "~/features/graph/names";
import { CategoryIcon, categoryName } from "~/features/memories/categories";
import { quoteOf } from "~/features/memories/document-memories";
import {
  historyQuery,
  isSomeoneElse,
  type Memory,
  memoryQuery,
  memoryRelationsQuery,
  useForgetMemories,
  useLifecycle,
} from "~/features/memories/memories";
import { MemoryEditor } from "~/features/memories/memory-editor";
import { Outdated } from "~/features/memories/outdated";
import { useProjectLabel } from "~/features/projects/projects";
import { absoluteTime, shortDate } from "~/lib/format";
import { isId } from "~/lib/ids";
import { useKeys } from "~/lib/keyboard";
import { t } from "~/lib/language";
import { plainText } from "~/lib/plain-text";
import { useTitle } from "~/lib/use-title";
import { Button } from "~/ui/button";
import { Chip } from "~/ui/chip";
import { copyText } from "~/ui/copy-button";
import { Card, Row, Rows, Section } from "~/ui/layout";
import { Menu, MenuItem } from "~/ui/menu";
import { Meta } from "~/ui/meta";
import { Loaded, NothingHere, Skeleton } from "~/ui/states";
import { Time } from "~/ui/time";
import { Versions } from "./versions";

export default function MemoryPage() {
  const { id = "" } = useParams();
  const query = useQuery({ ...memoryQuery(id), enabled: isId(id) });
  useTitle(query.data?.content.slice(0, 60) ?? t("Memory"));
  if (!isId(id)) return <NothingHere />;
  return (
    <div className="mx-auto w-full max-w-7xl px-4 py-6 sm:px-8 sm:py-8">
      <Loaded query={query} skeleton={<Skeleton className="h-40 max-w-3xl" />}>
        {(memory) => <MemoryView key={memory.id} memory={memory} />}
      </Loaded>
    </div>
  );
}

function MemoryView({ memory }: { memory: Memory }) {
  return (
    <div className="max-w-[46rem] space-y-8">
      <Header memory={memory} />
      {memory.documentId && <Evidence memory={memory} />}
      <Versions memory={memory} />
      <Relations id={memory.id} />
      <Lifecycle memory={memory} />
      <Events id={memory.id} />
    </div>
  );
}

function Header({ memory }: { memory: Memory }) {
  const [editing, setEditing] = useState(false);
  const project = useProjectLabel(memory.projectId);
  const forget = useForgetMemories();
  const navigate = useNavigate();
  const remove = () => {
    navigate("/memories");
    forget.mutate([memory.id]);
  };
  useKeys({ e: () => setEditing(true), "#": remove });
  return (
    <header>
      <div className="mb-2 flex flex-wrap items-center gap-2 text-sm text-muted">
        <CategoryIcon category={memory.category} />
        <Meta>
          <span>{categoryName(memory.category)}</span>
          {project && <span>{project}</span>}
          <Time at={memory.createdAt} />
        </Meta>
        {typeof memory.context.done === "string" && (
          <Chip tone="accent">
            {t("Done")} <Time at={memory.context.done} />
          </Chip>
        )}
        {!memory.isCurrent && !memory.replacedBy && (
          <Chip tone="warning">{t("No longer valid")}</Chip>
        )}
        {memory.state === "quarantined" && (
          <Chip tone="warning">{t("Waiting for your review")}</Chip>
        )}
        <div className="ms-auto flex gap-1">
          <Button variant="quiet" size="sm" onClick={() => setEditing(true)}>
            <Pencil size={14} /> {t("Edit")}
          </Button>
          <Button variant="quiet" size="sm" onClick={remove}>
            <Trash2 size={14} /> {t("Forget")}
          </Button>
          <Menu
            trigger={
              <Button variant="quiet" size="sm" aria-label={t("More actions")}>
                …
              </Button>
            }
          >
            <MenuItem onSelect={() => copyText(memory.content)}>{t("Copy statement")}</MenuItem>
            <MenuItem onSelect={() => copyText(memory.id)}>{t("Copy id")}</MenuItem>
          </Menu>
        </div>
      </div>
      <h1 className="text-lg leading-snug font-semibold text-balance" dir="auto">
        {memory.content}
      </h1>
      {memory.replacedBy && <Outdated newer={memory.replacedBy} />}
      <dl className="mt-4 flex flex-wrap gap-x-8 gap-y-2 text-sm">
        {factsOf(memory).map(([name, value]) => (
          <div key={name}>
            <dt className="text-xs text-muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <MemoryEditor
        open={editing}
        memory={memory}
        onClose={() => setEditing(false)}
        onSaved={(id) => navigate(`/memories/${id}`, { replace: true })}
      />
    </header>
  );
}

function factsOf(memory: Memory): [string, ReactNode][] {
  const facts: [string, ReactNode | null | undefined | false][] = [
    [t("Said by"), isSomeoneElse(memory.speaker) && memory.speaker],
    [t("Said"), memory.saidAt && <Time at={memory.saidAt} />],
    [t("Happened"), memory.occurredAt && shortDate(memory.occurredAt)],
    [t("Due"), memory.dueAt && shortDate(memory.dueAt)],
    [t("Valid until"), memory.validUntil && shortDate(memory.validUntil)],
    [t("Tags"), memory.tags.length > 0 && memory.tags.map((tag) => `#${tag}`).join(" ")],
  ];
  return facts.filter((fact): fact is [string, ReactNode] => Boolean(fact[1]));
}

function Evidence({ memory }: { memory: Memory }) {
  const { data } = useQuery(documentQuery(memory.documentId ?? ""));
  if (!data) return null;
  const { words } = quoteOf(memory, data);
  const find = encodeURIComponent(words.slice(0, 200));
  return (
    <Section title={t("Source")}>
      <Card className="p-4">
        <blockquote className="border-s-2 border-accent ps-3" dir="auto">
          {words}
        </blockquote>
        <Link
          to={`/memory/${data.id}?find=${find}`}
          className="mt-3 inline-flex items-center gap-1.5 text-sm text-accent hover:underline"
        >
          <FileText size={14} /> {plainText(data.title).text}
        </Link>
      </Card>
    </Section>
  );
}

function Relations({ id }: { id: string }) {
  const { data = [] } = useQuery(memoryRelationsQuery(id));
  if (!data.length) return null;
  return (
    <Section title={t("Connected memories##section")}>
      <Rows>
        {data.slice(0, 12).map((related) => (
          <Row key={`${related.id}-${related.relationship}`}>
            <span className="w-24 text-xs text-muted">{plainName(related.relationship)}</span>
            <Link
              to={`/memories/${related.id}`}
              className="min-w-0 flex-1 text-sm hover:text-accent"
              dir="auto"
            >
              {related.content}
            </Link>
          </Row>
        ))}
      </Rows>
    </Section>
  );
}

function Lifecycle({ memory }: { memory: Memory }) {
  const lifecycle = useLifecycle();
  const set = (body: Parameters<typeof lifecycle.mutate>[0]["body"]) =>
    lifecycle.mutate({ id: memory.id, body });
  return (
    <Section title={t("Is it right?")} description={t("Your answer affects its rank in search.")}>
      <div className="flex flex-wrap gap-2">
        <Button
          variant={memory.quality === "good" ? "primary" : "secondary"}
          onClick={() => set({ quality: "good" })}
        >
          {t("It is right")}
        </Button>
        <Button
          variant={memory.quality === "bad" ? "primary" : "secondary"}
          onClick={() => set({ quality: "bad" })}
        >
          {t("It is wrong")}
        </Button>
        {memory.state === "quarantined" && (
          <>
            <Button onClick={() => set({ review: "accept" })}>{t("Accept")}</Button>
            <Button onClick={() => set({ review: "decline" })}>{t("Decline")}</Button>
          </>
        )}
      </div>
    </Section>
  );
}

function Events({ id }: { id: string }) {
  const { data } = useQuery(historyQuery(id));
  if (!data?.events.length) return null;
  return (
    <Section title={t("History")}>
      <ul className="space-y-1.5 text-sm">
        {data.events.map((event) => (
          <li key={event.id} className="flex gap-3">
            <time
              dateTime={event.createdAt}
              className="w-44 shrink-0 text-muted"
              title={absoluteTime(event.createdAt)}
            >
              {absoluteTime(event.createdAt)}
            </time>
            <span>{eventLabel(event.type)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
