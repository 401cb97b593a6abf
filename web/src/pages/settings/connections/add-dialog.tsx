import { LogIn } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import {
  type Connector,
  type Found,
  type NewConnection,
  useCheck,
  useConnect,
  useConsent,
} from "~/features/connections/connections";
import { ProjectSelect } from "~/features/projects/project-select";
import { messageOf } from "~/lib/api";
import { plural } from "~/lib/format";
import { Button } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Field, Input, TextArea } from "~/ui/input";
import { ChoiceList, TypedChoices, wordsOf } from "./choices";

type Props = { connector: Connector; onClose: () => void };

/** What is needed, then what it would bring; only then it is connected. */
export function AddDialog({ connector, onClose }: Props) {
  const { provider, title } = connector;
  const [fields, setFields] = useState<Record<string, string>>({});
  const [chosen, setChosen] = useState<string[]>([]);
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
      onSuccess: ({ resources }) => {
        if (connector.needs_choice && resources.length === 1 && !all.length)
          setChosen(resources.map(({ reference }) => reference));
      },
    });
  }
  function start() {
    connect.mutate(
      { ...given, project: project || null },
      {
        onSuccess: ({ account }) => {
          toast.success(`${account} is connected`);
          onClose();
        },
      },
    );
  }
  return (
    <Dialog open title={`Connect ${title}`} description={connector.help} onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          isReady ? start() : look();
        }}
      >
        <ConsentButton connector={connector} />
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
        {check.data && <Summary found={check.data} />}
        {check.data && (
          <Field label="Into the project">
            {(id) => (
              <ProjectSelect
                id={id}
                label="Into the project"
                none="Default project"
                value={project}
                onChange={setProject}
                className="w-full"
              />
            )}
          </Field>
        )}
        {problem && (
          <p role="alert" className="text-sm text-danger">
            {messageOf(problem)}
          </p>
        )}
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

/** Where the operator of the server has an app at the service. */
function ConsentButton({ connector }: { connector: Connector }) {
  const consent = useConsent();
  if (!connector.consent?.ready) return null;
  return (
    <div className="space-y-3">
      <Button
        className="w-full justify-center"
        busy={consent.isPending}
        onClick={() =>
          consent.mutate(
            { provider: connector.provider },
            { onError: (error) => toast.error(messageOf(error)) },
          )
        }
      >
        <LogIn size={14} /> Sign in with {connector.title}
      </Button>
      <div className="flex items-center gap-3 text-xs text-muted">
        <span className="h-px flex-1 bg-line" /> or without signing in{" "}
        <span className="h-px flex-1 bg-line" />
      </div>
    </div>
  );
}

type FieldsProps = {
  connector: Connector;
  values: Record<string, string>;
  onChange: (values: Record<string, string>) => void;
};

function Fields({ connector, values, onChange }: FieldsProps) {
  return connector.fields.map(({ name, secret, required, example, long }) => (
    <Field key={name} label={titled(name)} hint={required ? undefined : "Optional"}>
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
function Summary({ found }: { found: Found }) {
  const count = found.resources.reduce((sum, { count }) => sum + (count ?? 0), 0);
  const seen = Math.max(found.seen, count);
  const isMore = found.more && count === 0;
  return (
    <div className="space-y-1 rounded-md bg-raised p-3 text-sm" aria-live="polite">
      <p>
        <span className="font-medium">{found.account}</span>
        {seen > 0 && `: ${plural(seen, "item")}${isMore ? " and more" : ""}`}
        {seen === 0 && ": choose what to read"}
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

function withoutEmpty(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim()));
}
