import clsx from "clsx";

type Tab<T extends string> = { value: T; label: string; count?: number };
type Props<T extends string> = {
  label: string;
  tabs: Tab<T>[];
  value: T;
  onChange: (value: T) => void;
};

/** Tabs within a page. */
export function Tabs<T extends string>({ label, tabs, value, onChange }: Props<T>) {
  return (
    <nav aria-label={label} className="mb-5 flex gap-4 overflow-x-auto overflow-y-hidden border-b">
      {tabs.map((tab) => (
        <button
          key={tab.value}
          type="button"
          aria-current={tab.value === value ? "page" : undefined}
          onClick={() => onChange(tab.value)}
          className={clsx(
            "-mb-px border-b-2 pb-2 text-base whitespace-nowrap transition-colors duration-150",
            tab.value === value
              ? "border-accent font-medium text-ink"
              : "border-transparent text-muted hover:text-ink",
          )}
        >
          {tab.label}
          {tab.count !== undefined && <span className="ms-1.5 text-muted">{tab.count}</span>}
        </button>
      ))}
    </nav>
  );
}

type SegmentsProps<T extends string> = {
  label: string;
  options: { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
};

export function Segments<T extends string>({ label, options, value, onChange }: SegmentsProps<T>) {
  return (
    <fieldset
      aria-label={label}
      className="inline-flex max-w-full flex-wrap rounded-md border bg-raised p-0.5"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={clsx(
            "h-6.5 rounded-sm px-2.5 text-sm whitespace-nowrap transition-colors duration-150",
            option.value === value
              ? "bg-surface font-medium text-ink"
              : "text-muted hover:text-ink",
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
