import { Eye, EyeOff } from "lucide-react";
import { type ReactNode, useState } from "react";
import { locale, t } from "~/lib/language";
import { Field, Input } from "./input";

type Props = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** What a password manager suggests; "off" for a key. */
  autoComplete: "current-password" | "new-password" | "off";
  name?: string;
  hint?: ReactNode;
  error?: string | null;
  placeholder?: string;
};

const MIN_LENGTH = 8;

/** A field for a secret, with a button to show it. */
export function PasswordField({ label, value, onChange, autoComplete, ...rest }: Props) {
  const { name, hint, error, placeholder } = rest;
  const [shown, setShown] = useState(false);
  const isNew = autoComplete === "new-password";
  return (
    <Field
      label={label}
      hint={hint ?? (isNew && t("At least {count} characters.", { count: MIN_LENGTH }))}
      error={error}
    >
      {(id, describedBy) => (
        <div className="relative">
          <Input
            id={id}
            name={name}
            type={shown ? "text" : "password"}
            autoComplete={autoComplete}
            placeholder={placeholder}
            minLength={isNew ? MIN_LENGTH : undefined}
            required
            spellCheck={false}
            aria-invalid={Boolean(error)}
            aria-describedby={describedBy}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            className="pe-9!"
          />
          <button
            type="button"
            aria-label={t(shown ? "Hide {label}" : "Show {label}", {
              label: label.toLocaleLowerCase(locale),
            })}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
            className="absolute inset-y-0 end-0 grid w-8 place-items-center rounded-md text-muted hover:text-ink"
          >
            {shown ? <EyeOff size={15} /> : <Eye size={15} />}
          </button>
        </div>
      )}
    </Field>
  );
}
