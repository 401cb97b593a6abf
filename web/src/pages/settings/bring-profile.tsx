import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  type Pasted,
  profilePromptQuery,
  useAcceptStatement,
  useReadAnswer,
} from "~/features/transfer/pasted-profile";
import { messageOf } from "~/lib/api";
import { plural, shortDate } from "~/lib/format";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { CopyButton } from "~/ui/copy-button";
import { Field, TextArea } from "~/ui/input";
import { Card, Row, Rows, Section } from "~/ui/layout";
import { ErrorText, Loaded, Skeleton } from "~/ui/states";

type Outcome = "accepted" | "known" | "declined";
type Choice = Pasted & { id: number; outcome?: Outcome };

const OUTCOMES: Record<Outcome, string> = {
  accepted: t("Saved"),
  known: t("Known already"),
  declined: t("Declined"),
};

/** What ChatGPT, Claude or Gemini remembers, accepted statement by statement. */
export function BringProfile() {
  const prompt = useQuery(profilePromptQuery);
  const [text, setText] = useState("");
  const [choices, setChoices] = useState<Choice[]>([]);
  const read = useReadAnswer();
  return (
    <Section
      id="profile"
      title={t("Bring your memory")}
      description={t(
        "What ChatGPT, Claude or Gemini remembers about you. Copy this prompt into a chat there, then paste the answer here.",
      )}
    >
      <Card className="space-y-4 p-4">
        <Loaded query={prompt} skeleton={<Skeleton className="h-32" />}>
          {(prompt) => (
            <div className="space-y-2">
              <section
                aria-label={t("Prompt")}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
                tabIndex={0}
                className="max-h-40 overflow-y-auto rounded-lg border bg-raised p-3 text-sm whitespace-pre-wrap"
              >
                {prompt}
              </section>
              <CopyButton text={prompt} label={t("Copy prompt")} />
            </div>
          )}
        </Loaded>
        <form
          className="space-y-3"
          onSubmit={(event) => {
            event.preventDefault();
            read.mutate(text, {
              onSuccess: (statements) =>
                setChoices(statements.map((statement, id) => ({ ...statement, id }))),
            });
          }}
        >
          <Field label={t("The answer")} error={read.error ? messageOf(read.error) : null}>
            {(id) => (
              <TextArea
                id={id}
                dir="auto"
                required
                rows={5}
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit" busy={read.isPending}>
            {t("Show the statements")}
          </Button>
        </form>
      </Card>
      {choices.length > 0 && <Choices choices={choices} onChange={setChoices} />}
    </Section>
  );
}

type ChoicesProps = { choices: Choice[]; onChange: (choices: Choice[]) => void };

function Choices({ choices, onChange }: ChoicesProps) {
  const open = choices.filter(({ outcome }) => !outcome).length;
  return (
    <div className="mt-4 space-y-2">
      <p role="status" className="text-sm text-muted">
        {open
          ? t("{statements} to accept or decline", { statements: plural(open, "statement") })
          : t("All are decided.")}
      </p>
      <Rows>
        {choices.map((choice) => (
          <Statement
            key={choice.id}
            choice={choice}
            onChange={(changed) =>
              onChange(choices.map((other) => (other.id === changed.id ? changed : other)))
            }
          />
        ))}
      </Rows>
    </div>
  );
}

type StatementProps = { choice: Choice; onChange: (choice: Choice) => void };

function Statement({ choice, onChange }: StatementProps) {
  const accept = useAcceptStatement();
  if (choice.outcome) {
    return (
      <Row>
        <p className="min-w-[min(100%,14rem)] flex-1 text-sm break-words text-muted" dir="auto">
          {choice.content}
        </p>
        <span className="text-sm text-muted">{OUTCOMES[choice.outcome]}</span>
      </Row>
    );
  }
  return (
    <Row>
      <TextArea
        aria-label={t("Statement")}
        dir="auto"
        rows={1}
        className="field-sizing-content min-w-[min(100%,14rem)] flex-1"
        value={choice.content}
        onChange={(event) => onChange({ ...choice, content: event.target.value })}
      />
      {choice.said_at && <span className="text-sm text-muted">{shortDate(choice.said_at)}</span>}
      <span className="flex gap-1">
        <Button
          size="sm"
          variant="primary"
          aria-label={t("Accept: {content}", { content: choice.content })}
          busy={accept.isPending}
          disabled={!choice.content.trim()}
          onClick={() =>
            accept.mutate(choice, {
              onSuccess: ({ status }) =>
                onChange({ ...choice, outcome: status === "duplicate" ? "known" : "accepted" }),
            })
          }
        >
          {t("Accept")}
        </Button>
        <Button
          size="sm"
          aria-label={t("Decline: {content}", { content: choice.content })}
          onClick={() => onChange({ ...choice, outcome: "declined" })}
        >
          {t("Decline")}
        </Button>
      </span>
      {accept.error && <ErrorText>{messageOf(accept.error)}</ErrorText>}
    </Row>
  );
}
