import clsx from "clsx";
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from "react";

export const fieldClass =
  "w-full rounded-md border border-line-strong bg-surface px-3 text-base text-ink placeholder:text-muted disabled:opacity-60";

type InputProps = InputHTMLAttributes<HTMLInputElement> & {
  ref?: Ref<HTMLInputElement>;
};
export function Input({ className, ...rest }: InputProps) {
  return <input {...rest} className={clsx(fieldClass, "h-8", className)} />;
}

type AreaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & {
  ref?: Ref<HTMLTextAreaElement>;
};
export function TextArea({ className, ...rest }: AreaProps) {
  return <textarea {...rest} className={clsx(fieldClass, "py-2", className)} />;
}

export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <select
      {...rest}
      className={clsx(
        "select h-8 max-w-full rounded-md border border-line-strong bg-surface ps-2.5 pe-7 text-sm text-ink",
        className,
      )}
    />
  );
}

type FieldProps = {
  label: string;
  hint?: ReactNode;
  error?: string | null;
  children: (id: string, describedBy: string | undefined) => ReactNode;
};

/** A labelled field with its hint or error below it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block text-sm font-medium">
        {label}
      </label>
      {children(id, note ? `${id}-note` : undefined)}
      {note && (
        <p id={`${id}-note`} className={clsx("text-xs", error ? "text-danger" : "text-muted")}>
          {note}
        </p>
      )}
    </div>
  );
}

type CheckProps = InputHTMLAttributes<HTMLInputElement> & {
  label: ReactNode;
  ref?: Ref<HTMLInputElement>;
};
export function Checkbox({ label, className, ...rest }: CheckProps) {
  return (
    <label className={clsx("inline-flex items-center gap-2 text-sm", className)}>
      <input type="checkbox" {...rest} className="size-4 accent-(--accent)" />
      {label}
    </label>
  );
}

type DateProps = { label: string; value: string; onChange: (day: string) => void };
export function DateInput({ label, value, onChange }: DateProps) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-3 text-sm">
      <label htmlFor={id}>{label}</label>
      <Input
        id={id}
        type="date"
        className="h-7! w-36! px-2! text-sm!"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}
