import { useCallback, useState } from "react";
import { toast } from "sonner";
import {
  type Connection,
  type Connector,
  type Found,
  type NewConnection,
  useCheck,
  useConnect,
} from "~/features/connections/connections";
import { ProjectField } from "~/features/projects/project-select";
import { messageOf } from "~/lib/api";
import { plural } from "~/lib/format";
import { Button } from "~/ui/button";
import { CopyBox } from "~/ui/copy-button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Field, Input, TextArea } from "~/ui/input";
import { ErrorText } from "~/ui/states";
import { ChoiceList, TypedChoices, wordsOf } from "./choices";
import { SignIn } from "./sign-in";

/** `former` is connected again: what was chosen in it stays chosen. */
type Props = { connector: Connector; former?: Connection; onClose: () => void };

/** What is needed, then what it would bring; only then it is connected. */
export function AddDialog({ connector, former, onClose }: Props) {
  const { provider, title } = connector;
  const [fields, setFields] = useState<Record<string, string>>({});
  const [chosen, setChosen] = useState<string[]>(former?.chosen ?? []);
  const [typed, setTyped] = useState("");
  const [project, setProject] = useState("");
  const check = useCheck();
  const connect = useConnect();
  const all = [...new Set([...chosen, ...wordsOf(typed)])];
  const given: NewConnection = { provider, fields: withoutEmpty(fields), chosen: all };
  const isReady = check.data !== undefined && (all.length > 0 || !connector.needs_choice);
  const problem = connect.error ?? check.error;

  function look() {
    check.mutate(given, {
      onSuccess: ({ resources, usage }) => {
        if (!connector.needs_choice || resources.length !== 1 || all.length) return;
        const only = resources.map(({ reference }) => reference);
        setChosen(only);
        // To count costs money where reading does.
        if (!usage) check.mutate({ ...given, chosen: only });
      },
    });
  }
  function start() {
    connect.mutate(
      { ...given, project: project || null },
      {
        onSuccess: connected,
      },
    );
  }
  const connected = useCallback(
    ({ account }: Connection) => {
      toast.success(`${account} is connected`);
      onClose();
    },
    [onClose],
  );
  return (
    <Dialog
      open
      title={former ? `Connect ${former.account} again` : `Connect ${title}`}
      description={connector.help}
      onClose={onClose}
    >
      {connector.consent && (
        <SignIn
          connector={connector}
          consent={connector.consent}
          fields={optional(connector, given.fields ?? {})}
          onConnected={connected}
        />
      )}
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          isReady ? start() : look();
        }}
      >
        {connector.manifest && <Manifest text={connector.manifest} />}
        <Fields
          connector={connector}
          values={fields}
          onChange={(values) => {
            setFields(values);
            check.reset();
          }}
        />
        {connector.needs_choice && (
          <ChoiceList
            resources={check.data?.resources ?? []}
            chosen={chosen}
            onChosen={setChosen}
          />
        )}
        {connector.choice && (
          <TypedChoices
            choice={connector.choice}
            value={typed}
            onChange={(text) => {
              setTyped(text);
              check.reset();
            }}
          />
        )}
        {check.data && (
          <Summary
            found={check.data}
            isChosen={all.length > 0 || !connector.needs_choice}
            isCounted={!connector.needs_choice || !!check.variables?.chosen?.length}
          />
        )}
        {check.data && !former && (
          <ProjectField
            label="Into the project"
            none="Default project"
            value={project}
            onChange={setProject}
          />
        )}
        {problem && <ErrorText>{messageOf(problem)}</ErrorText>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={check.isPending || connect.isPending}>
            {isReady ? "Connect" : "Continue"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Long, and needed once. */
function Manifest({ text }: { text: string }) {
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-muted hover:text-ink">
        The manifest of the app
      </summary>
      <div className="mt-2">
        <CopyBox text={text} />
      </div>
    </details>
  );
}

type FieldsProps = {
  connector: Connector;
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
};

function Fields({ connector, values, onChange }: FieldsProps) {
  return connector.fields.map(({ name, label, secret, required, example, long }) => (
    <Field key={name} label={titled(name)} hint={required ? undefined : `Optional: ${label}`}>
      {(id, describedBy) => {
        const common = {
          id,
          "aria-describedby": describedBy,
          autoComplete: "off",
          spellCheck: false,
          required,
          placeholder: example,
          value: values[name] ?? "",
        };
        const set = (value: string) => onChange({ ...values, [name]: value });
        return long ? (
          <TextArea {...common} rows={5} onChange={(event) => set(event.target.value)} />
        ) : (
          <Input
            {...common}
            type={secret ? "password" : "text"}
            onChange={(event) => set(event.target.value)}
          />
        );
      }}
    </Field>
  ));
}

/** How much it would bring. A folder counts all of it; elsewhere a page is counted. */
type SummaryProps = { found: Found; isChosen: boolean; isCounted: boolean };

function Summary({ found, isChosen, isCounted }: SummaryProps) {
  const count = found.resources.reduce((sum, { count }) => sum + (count ?? 0), 0);
  const seen = Math.max(found.seen, count);
  const isMore = found.more && count === 0;
  return (
    <div className="space-y-1 rounded-md bg-raised p-3 text-sm" aria-live="polite">
      <p>
        <span className="font-medium">{found.account}</span>
        {seen > 0 && `: ${plural(seen, "item")}${isMore ? " and more" : ""}`}
        {seen === 0 && !isChosen && ": choose what to read"}
        {seen === 0 && isChosen && isCounted && ": nothing to read was found yet"}
      </p>
      {found.paths.length > 0 && (
        <p className="break-words text-muted">Such as {found.paths.join(", ")}</p>
      )}
    </div>
  );
}

function titled(name: string): string {
  return name === "url"
    ? "Address"
    : name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}

/** Those that also go with a sign-in: what is read, and not who reads it. */
function optional(connector: Connector, fields: Record<string, string>): Record<string, string> {
  const names = connector.fields.filter(({ required, secret }) => !(required || secret));
  return Object.fromEntries(
    names.flatMap(({ name }) => (fields[name] ? [[name, fields[name]]] : [])),
  );
}

function withoutEmpty(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim()));
}
