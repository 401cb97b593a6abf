import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { messageOf } from "~/lib/api";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Chip } from "~/ui/chip";
import { Field, Input } from "~/ui/input";
import { Row, Rows } from "~/ui/layout";
import { ErrorText, Loaded, SkeletonList } from "~/ui/states";
import {
  type Instruction,
  instructionsQuery,
  useChangeInstruction,
  usePinInstruction,
  useUnpinInstruction,
} from "./instructions";

const LIMIT_CHARS = 300;

type Props = {
  /** Shows what applies in this project and pins to it; without one, everywhere. */
  project?: { id: string; slug: string };
};

/** The standing instructions of a project, or all of the user, with a field that adds one. */
export function InstructionList({ project }: Props) {
  const instructions = useQuery(instructionsQuery(project?.slug));
  return (
    <div className="space-y-3">
      <Add project={project?.id} />
      <Loaded query={instructions} skeleton={<SkeletonList rows={2} height="h-12" />}>
        {({ instructions: all, limit }) =>
          all.length ? (
            <>
              <Rows>
                {all.map((instruction) => (
                  <Item key={instruction.id} instruction={instruction} here={project?.id} />
                ))}
              </Rows>
              {project && all.length >= limit && (
                <p className="text-sm text-muted">
                  {t("That is the most that an assistant gets. Remove one to add another.")}
                </p>
              )}
            </>
          ) : (
            <p className="text-sm text-muted">{t("You have no standing instructions.")}</p>
          )
        }
      </Loaded>
    </div>
  );
}

function Add({ project }: { project?: string }) {
  const [content, setContent] = useState("");
  const pin = usePinInstruction();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        pin.mutate({ content, project_id: project ?? null }, { onSuccess: () => setContent("") });
      }}
    >
      <Field
        label={project ? t("New instruction for this project") : t("New instruction, everywhere")}
        hint={t("One sentence, such as “Explain commands before you run them.”")}
        error={pin.error ? messageOf(pin.error) : null}
      >
        {(id) => (
          <div className="flex gap-2">
            <Input
              id={id}
              dir="auto"
              required
              maxLength={LIMIT_CHARS}
              className="min-w-0 flex-1"
              value={content}
              onChange={(event) => setContent(event.target.value)}
            />
            <Button type="submit" variant="primary" busy={pin.isPending}>
              {t("Pin")}
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}

function Item({ instruction, here }: { instruction: Instruction; here?: string }) {
  const [draft, setDraft] = useState<string>();
  const change = useChangeInstruction();
  const unpin = useUnpinInstruction();
  const isElsewhere = here !== undefined && instruction.project_id !== here;
  if (draft !== undefined) {
    return (
      <Row>
        <form
          className="flex min-w-0 flex-1 flex-wrap items-center gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate(
              { id: instruction.id, content: draft },
              { onSuccess: () => setDraft(undefined) },
            );
          }}
        >
          <Input
            aria-label={t("Instruction")}
            dir="auto"
            autoFocus
            required
            maxLength={LIMIT_CHARS}
            className="min-w-0 flex-1"
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && setDraft(undefined)}
          />
          <Button type="submit" size="sm" variant="primary" busy={change.isPending}>
            {t("Save")}
          </Button>
          <Button size="sm" variant="quiet" onClick={() => setDraft(undefined)}>
            {t("Cancel")}
          </Button>
          {change.error && <ErrorText>{messageOf(change.error)}</ErrorText>}
        </form>
      </Row>
    );
  }
  return (
    <Row>
      <p className="min-w-[min(100%,14rem)] flex-1 text-sm break-words" dir="auto">
        {instruction.content}
      </p>
      {(isElsewhere || here === undefined) && <Chip>{instruction.project ?? "everywhere"}</Chip>}
      <span className="flex gap-1">
        <Button
          size="sm"
          variant="quiet"
          aria-label={t("Edit: {content}", { content: instruction.content })}
          onClick={() => setDraft(instruction.content)}
        >
          {t("Edit")}
        </Button>
        <Button
          size="sm"
          variant="danger"
          aria-label={t("Remove: {content}", { content: instruction.content })}
          busy={unpin.isPending}
          onClick={() =>
            unpin.mutate(instruction.id, {
              onSuccess: () => toast.success(t("Removed")),
              onError: (error) => toast.error(messageOf(error)),
            })
          }
        >
          {t("Remove")}
        </Button>
      </span>
    </Row>
  );
}
