import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowUp, MessageCircleQuestion } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import {
  type Asked,
  askedIn,
  ask as askQuestion,
  type Exchange,
  exchangeOf,
  setAsked,
  withStep,
} from "~/features/ask/ask";
import { graphQuery } from "~/features/graph/graph";
import { caretAtEnd } from "~/lib/caret";
import { endOfDay, number } from "~/lib/format";
import { newId } from "~/lib/ids";
import { t } from "~/lib/language";
import { setUnsaved, unsaved } from "~/lib/unsaved";
import { Button } from "~/ui/button";
import { fieldClass } from "~/ui/input";
import { EmptyState, ErrorText } from "~/ui/states";
import { Answer } from "./answer";

const QUESTION_LIMIT = 2_000;
const EXAMPLES = 3;
/** Enough to have some people, places and things among them. */
const NODES = 60;

type Props = {
  session: string;
  initial: Exchange[];
  closed?: boolean;
  project: string;
  asOf: string;
  question: string;
  onSession: (id: string) => void;
};

export function Conversation(props: Props) {
  const { exchanges, ask, retry, remove } = useConversation(props);
  const [text, setText] = useQuestionDraft(props.question);
  const end = useRef<HTMLDivElement>(null);
  const submit = (question: string) => {
    setText("");
    ask(question);
  };
  useEffect(() => {
    if (exchanges.length) end.current?.scrollIntoView({ block: "end" });
  }, [exchanges]);
  return (
    <>
      {exchanges.length === 0 && <EmptyConversation onAsk={submit} />}
      <div aria-live="polite" className="space-y-8 pb-6">
        {exchanges.map((exchange) => (
          <article key={exchange.id} aria-label={exchange.question} className="space-y-3">
            <Question exchange={exchange} />
            <Answer
              exchange={exchange}
              onRetry={() => retry(exchange)}
              onRemove={() => remove(exchange)}
            />
          </article>
        ))}
      </div>
      <div ref={end} className="scroll-mb-24" />
      {props.closed ? (
        <p className="text-muted">
          {t("This conversation is closed. Start a new one to ask more.")}
        </p>
      ) : (
        <QuestionForm text={text} setText={setText} onSubmit={submit} />
      )}
    </>
  );
}

/** The text of the box, which is still there after a reload; it begins with the question of the URL. */
function useQuestionDraft(question: string) {
  const [name] = useState(question ? `ask/${question}` : "ask");
  const [text, setText] = useState(() => unsaved<string>(name) ?? question);
  const change = (next: string) => {
    setText(next);
    setUnsaved(name, next && next !== question ? next : undefined);
  };
  return [text, change] as const;
}

/** Asks one question after the other, because a later one may refer to an earlier one. */
function useConversation({ session, initial, project, asOf, onSession }: Props) {
  const [exchanges, setExchanges] = useState(() => [...initial, ...unanswered(session, initial)]);
  const queries = useQueryClient();
  // The URL gets the session a moment after the first answer; a quick second question must not
  // start another one.
  const currentSession = useRef(session);
  const last = useRef(Promise.resolve());
  const leaving = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  const change = (id: string, update: (exchange: Exchange) => Exchange) =>
    setExchanges((all) =>
      all.map((exchange) => (exchange.id === id ? update(exchange) : exchange)),
    );
  const forget = (id: string) => {
    const box = currentSession.current;
    const asked = askedIn(box);
    if (asked.some((item) => item.id === id))
      setAsked(
        box,
        asked.filter((item) => item.id !== id),
      );
  };
  /** The conversation has a session now, and what waits for its turn belongs to it. */
  function move(to: string) {
    const waiting = askedIn(currentSession.current);
    setAsked(currentSession.current, []);
    setAsked(to, waiting);
    currentSession.current = to;
    onSession(to);
  }

  function enqueue(asked: Asked) {
    const rest = askedIn(currentSession.current).filter(({ id }) => id !== asked.id);
    setAsked(currentSession.current, [...rest, asked]);
    const { signal } = leaving.current;
    last.current = last.current.then(() => (signal.aborted ? undefined : run(asked, signal)));
  }

  async function run({ id, question, asOf }: Asked, signal: AbortSignal) {
    change(id, (exchange) => ({ ...exchange, state: "asking" }));
    const body = {
      question,
      ...(currentSession.current && { sessionId: currentSession.current }),
      ...(project && { project }),
      ...(asOf && { asOf: endOfDay(asOf) }),
    };
    try {
      const reply = await askQuestion(
        body,
        (step) => {
          if (step.name === "done") forget(id);
          change(id, (exchange) => withStep(exchange, step));
        },
        signal,
      );
      if (reply.sessionId && reply.sessionId !== currentSession.current) move(reply.sessionId);
      void queries.invalidateQueries({ queryKey: ["sessions"], refetchType: "active" });
    } catch (error) {
      if (!signal.aborted) change(id, (exchange) => ({ ...exchange, state: "failed", error }));
    }
  }

  return {
    exchanges,
    ask(question: string) {
      const asked = { id: newId(), question, asOf };
      setExchanges((all) => [...all, exchangeOf(asked, "waiting")]);
      enqueue(asked);
    },
    retry({ id, question, asOf: day = "" }: Exchange) {
      const asked = { id, question, asOf: day };
      change(id, () => exchangeOf(asked, "waiting"));
      enqueue(asked);
    },
    remove({ id }: Exchange) {
      forget(id);
      setExchanges((all) => all.filter((exchange) => exchange.id !== id));
    },
  };
}

/** Questions that were asked before the page was left, unless the server has answered them. */
function unanswered(session: string, initial: Exchange[]): Exchange[] {
  const asked = askedIn(session);
  const answered = initial.slice(-asked.length).map(({ question }) => question);
  return asked
    .filter(({ question }) => !answered.includes(question))
    .map((item) => exchangeOf(item, "failed"));
}

function Question({ exchange }: { exchange: Exchange }) {
  const { question, understood } = exchange;
  return (
    <header>
      <h2 className="text-sm text-muted" dir="auto">
        {question}
      </h2>
      {understood && understood !== question.trim() && (
        <p className="text-sm text-muted" dir="auto">
          {t("Understood as: {question}", { question: understood })}
        </p>
      )}
    </header>
  );
}

/** Examples are about the people, places and things that the notes mention most. */
function EmptyConversation({ onAsk }: { onAsk: (question: string) => void }) {
  const { data } = useQuery(graphQuery({ limit: NODES }));
  const names = (data?.nodes ?? [])
    .filter(({ kind }) => kind === "entity")
    .sort((a, b) => b.weight - a.weight)
    .slice(0, EXAMPLES)
    .map(({ label }) => label);
  return (
    <EmptyState
      icon={MessageCircleQuestion}
      title={t("Ask about anything you saved")}
      actions={names.map((name) => (
        <Button
          key={name}
          size="sm"
          onClick={() => onAsk(t("What do I know about {name}?", { name }))}
        >
          {t("What do I know about {name}?", { name })}
        </Button>
      ))}
    >
      {t(
        "Every answer cites the sentences it is based on. If nothing supports an answer, remem says so.",
      )}
    </EmptyState>
  );
}

type FormProps = {
  text: string;
  setText: (text: string) => void;
  onSubmit: (question: string) => void;
};

function QuestionForm({ text, setText, onSubmit }: FormProps) {
  const isTooLong = text.trim().length > QUESTION_LIMIT;
  const ready = text.trim() !== "" && !isTooLong;
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (ready) onSubmit(text.trim());
  };
  return (
    <form onSubmit={submit} className="sticky bottom-0 bg-bg pt-2 pb-4">
      {isTooLong && (
        <ErrorText>
          {t(
            "A question has at most {limit} characters; this one has {length}. Shorten it, or save it as a note.",
            { limit: number(QUESTION_LIMIT), length: number(text.trim().length) },
          )}
        </ErrorText>
      )}
      <div className="relative">
        <textarea
          ref={caretAtEnd}
          aria-label={t("Question")}
          placeholder={t("Ask a question, or a follow-up")}
          rows={Math.min(6, Math.max(1, text.split("\n").length))}
          dir="auto"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing)
              submit(event);
          }}
          className={`${fieldClass} resize-none py-2.5 pe-12`}
        />
        <button
          type="submit"
          aria-label={t("Ask")}
          disabled={!ready}
          className="absolute end-1.5 bottom-2.5 grid size-8 place-items-center rounded-md bg-accent text-accent-ink hover:opacity-90 disabled:cursor-not-allowed disabled:opacity-40"
        >
          <ArrowUp size={16} />
        </button>
      </div>
    </form>
  );
}
