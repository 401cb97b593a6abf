import type { Resource } from "~/features/connections/connections";
import { plural } from "~/lib/format";
import { toggled } from "~/lib/toggled";
import { Checkbox, Field, Input } from "~/ui/input";

type Props = {
  resources: Resource[];
  chosen: string[];
  onChosen: (chosen: string[]) => void;
};

/** Chooses from the list of the account. */
export function ChoiceList({ resources, chosen, onChosen }: Props) {
  if (!resources.length) return null;
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium">What to read</legend>
      <div className="max-h-52 space-y-1 overflow-y-auto rounded-md border p-2">
        {resources.map(({ reference, name, count }) => (
          <Checkbox
            key={reference}
            className="flex!"
            label={count === null ? name : `${name} (${plural(count, "item")})`}
            checked={chosen.includes(reference)}
            onChange={() => onChosen(toggled(chosen, reference))}
          />
        ))}
      </div>
    </fieldset>
  );
}

type TypedProps = { choice: string; value: string; onChange: (text: string) => void };

/** Chooses by name; public items are not in the list of the account. */
export function TypedChoices({ choice, value, onChange }: TypedProps) {
  const [noun = choice, example] = choice.split(", such as ");
  return (
    <Field
      label={noun.charAt(0).toUpperCase() + noun.slice(1)}
      hint={example ? `For example ${example}. Separate several with spaces.` : undefined}
    >
      {(id, describedBy) => (
        <Input
          id={id}
          aria-describedby={describedBy}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export function wordsOf(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter(Boolean))];
}
