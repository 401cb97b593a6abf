import { useCallback, useState } from "react";
import { toast } from "sonner";
import {
  type CheckResult,
  type Connection,
  type Connector,
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

/** With `former`, that connection is connected again and keeps its selection. */
type Props = { connector: Connector; former?: Connection; onClose: () => void };

/** Asks for the fields, shows how much there is, and only then connects. */
export function AddDialog({ connector, former, onClose }: Props) {
  const { provider, title } = connector;
  const [fields, setFields] = useState<Record<string, string>>({});
  const [chosen, setChosen] = useState<string[]>(former?.chosen ?? []);
  const [typed, setTyped] = useState("");
  const [project, setProject] = useState("");
  const check = useCheck();
  const connect = useConnect();
  const all = [...new Set([...chosen, ...wordsOf(typed)])];
  const request: NewConnection = { provider, fields: withoutEmpty(fields), chosen: all };
  const isReady = check.data !== undefined && (all.length > 0 || !connector.needs_choice);
  const problem = connect.error ?? check.error;

  function look() {
    check.mutate(request, {
      onSuccess: ({ resources, usage }) => {
        if (!connector.needs_choice || resources.length !== 1 || all.length) return;
        const only = resources.map(({ reference }) => reference);
        setChosen(only);
        // Counting would cost money if the service charges for reads.
        if (!usage) check.mutate({ ...request, chosen: only });
      },
    });
  }
  function start() {
    connect.mutate(
      { ...request, project: project || null },
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
          fields={signInFields(connector, request.fields ?? {})}
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
            result={check.data}
            isChosen={all.length > 0 || !connector.needs_choice}
            isCounted={!connector.needs_choice || !!check.variables?.chosen?.length}
          />
        )}
        {check.data && !former && (
          <ProjectField
            label="Save to project"
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

/** The app manifest, collapsed because it is long and needed only once. */
function Manifest({ text }: { text: string }) {
  return (
    <details className="text-sm">
      <summary className="cursor-pointer text-muted hover:text-ink">App manifest</summary>
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
    <Field key={name} label={labelOf(name)} hint={required ? undefined : `Optional: ${label}`}>
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

/** How much there is. A folder is counted completely; otherwise one page of items is counted. */
type SummaryProps = { result: CheckResult; isChosen: boolean; isCounted: boolean };

function Summary({ result, isChosen, isCounted }: SummaryProps) {
  const count = result.resources.reduce((sum, { count }) => sum + (count ?? 0), 0);
  const seen = Math.max(result.seen, count);
  const isMore = result.more && count === 0;
  return (
    <div className="space-y-1 rounded-md bg-raised p-3 text-sm" aria-live="polite">
      <p>
        <span className="font-medium">{result.account}</span>
        {seen > 0 && `: ${plural(seen, "item")}${isMore ? " and more" : ""}`}
        {seen === 0 && !isChosen && ": choose what to read"}
        {seen === 0 && isChosen && isCounted && ": nothing to read was found yet"}
      </p>
      {result.paths.length > 0 && (
        <p className="break-words text-muted">For example {result.paths.join(", ")}</p>
      )}
    </div>
  );
}

function labelOf(name: string): string {
  return name === "url"
    ? "Address"
    : name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");
}

/** The fields that also apply to a sign-in: what is read, not the credentials. */
function signInFields(
  connector: Connector,
  fields: Record<string, string>,
): Record<string, string> {
  const names = connector.fields.filter(({ required, secret }) => !(required || secret));
  return Object.fromEntries(
    names.flatMap(({ name }) => (fields[name] ? [[name, fields[name]]] : [])),
  );
}

function withoutEmpty(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim()));
}
