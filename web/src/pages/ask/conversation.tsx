import { useQueryClient } from "@tanstack/react-query";
import { ArrowUp, MessageCircleQuestion } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { ask, type Exchange, withStep } from "~/features/ask/ask";
import { endOfDay } from "~/lib/format";
import { Button } from "~/ui/button";
import { fieldClass } from "~/ui/input";
import { EmptyState } from "~/ui/states";
import { Answer } from "./answer";

const QUESTION_LIMIT = 2_000;
const EXAMPLES = [
  "Where did I put my passport?",
  "When do we meet next?",
  "Which books did I read?",
];

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
  const { exchanges, asking, send } = useConversation(props);
  const [text, setText] = useState(props.question);
  const end = useRef<HTMLDivElement>(null);
  const submit = (question: string) => {
    setText("");
    void send(question);
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
            <Answer exchange={exchange} onRetry={() => submit(exchange.question)} />
          </article>
        ))}
      </div>
      <div ref={end} className="scroll-mb-24" />
      {props.closed ? (
        <p className="text-muted">This conversation is closed. Start a new one to ask more.</p>
      ) : (
        <QuestionForm text={text} setText={setText} asking={asking} onSubmit={submit} />
      )}
    </>
  );
}

function useConversation({ session, initial, project, asOf, onSession }: Props) {
  const [exchanges, setExchanges] = useState(initial);
  const [asking, setAsking] = useState(false);
  const pending = useRef<AbortController | null>(null);
  const queries = useQueryClient();
  // The URL gets the session a moment after the first answer; a quick second question must not
  // start another one.
  const currentSession = useRef(session);
  useEffect(() => () => pending.current?.abort(), []);

  async function send(question: string) {
    const id = crypto.randomUUID();
    const change = (update: (exchange: Exchange) => Exchange) =>
      setExchanges((all) =>
        all.map((exchange) => (exchange.id === id ? update(exchange) : exchange)),
      );
    const empty = { claims: [], sources: [], nearest: [], state: "asking" as const };
    setExchanges((all) => [...all, { id, question, asOf, ...empty }]);
    setAsking(true);
    const aborting = new AbortController();
    pending.current = aborting;
    const body = {
      question,
      ...(currentSession.current && { sessionId: currentSession.current }),
      ...(project && { project }),
      ...(asOf && { asOf: endOfDay(asOf) }),
    };
    try {
      const reply = await ask(
        body,
        (step) => change((exchange) => withStep(exchange, step)),
        aborting.signal,
      );
      if (reply.sessionId && reply.sessionId !== currentSession.current) {
        currentSession.current = reply.sessionId;
        onSession(reply.sessionId);
      }
      void queries.invalidateQueries({ queryKey: ["sessions"], refetchType: "active" });
    } catch (error) {
      if (!aborting.signal.aborted) change((exchange) => ({ ...exchange, state: "failed", error }));
    } finally {
      if (!aborting.signal.aborted) setAsking(false);
    }
  }
  return { exchanges, asking, send };
}

function Question({ exchange }: { exchange: Exchange }) {
  const { question, understood } = exchange;
  return (
    <header>
      <h2 className="text-base font-semibold" dir="auto">
        {question}
      </h2>
      {understood && understood !== question.trim() && (
        <p className="text-sm text-muted" dir="auto">
          Understood as: {understood}
        </p>
      )}
    </header>
  );
}

function EmptyConversation({ onAsk }: { onAsk: (question: string) => void }) {
  return (
    <EmptyState
      icon={MessageCircleQuestion}
      title="Ask about anything you saved"
      actions={EXAMPLES.map((example) => (
        <Button key={example} size="sm" onClick={() => onAsk(example)}>
          {example}
        </Button>
      ))}
    >
      Every answer cites the sentences it is based on. If nothing supports an answer, remem says so.
    </EmptyState>
  );
}

type FormProps = {
  text: string;
  setText: (text: string) => void;
  asking: boolean;
  onSubmit: (question: string) => void;
};

function QuestionForm({ text, setText, asking, onSubmit }: FormProps) {
  const ready = text.trim() !== "" && !asking;
  const submit = (event: FormEvent | KeyboardEvent) => {
    event.preventDefault();
    if (ready) onSubmit(text.trim());
  };
  return (
    <form onSubmit={submit} className="sticky bottom-0 bg-bg pt-2 pb-4">
      <div className="relative">
        <textarea
          aria-label="Question"
          placeholder="Ask a question, or a follow-up"
          rows={Math.min(6, Math.max(1, text.split("\n").length))}
          maxLength={QUESTION_LIMIT}
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
          aria-label="Ask"
          disabled={!ready}
          className="absolute end-1.5 bottom-2.5 grid size-8 place-items-center rounded-md bg-accent text-accent-ink hover:opacity-90 disabled:cursor-not-allowed disabled:opacity-40"
        >
          <ArrowUp size={16} />
        </button>
      </div>
    </form>
  );
}
