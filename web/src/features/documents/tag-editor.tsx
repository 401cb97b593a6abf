import { Plus } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { Chip } from "~/ui/chip";

type Props = { tags: string[]; onChange: (tags: string[]) => void };

export function TagEditor({ tags, onChange }: Props) {
  const [adding, setAdding] = useState(false);
  const [text, setText] = useState("");
  function add() {
    const added = text
      .split(",")
      .map((tag) => tag.trim().replace(/^#/, ""))
      .filter(Boolean);
    if (added.length) onChange([...new Set([...tags, ...added])]);
    setText("");
    setAdding(false);
  }
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {tags.map((tag) => (
        <Chip
          key={tag}
          removeLabel={`Remove the tag ${tag}`}
          onRemove={() => onChange(tags.filter((other) => other !== tag))}
        >
          <Link to={`/library?tag=${encodeURIComponent(tag)}`} className="hover:text-ink">
            #{tag}
          </Link>
        </Chip>
      ))}
      {adding ? (
        <input
          // biome-ignore lint/a11y/noAutofocus: it appears because somebody asked for it
          autoFocus
          aria-label="New tag"
          value={text}
          className="h-6 w-28 rounded-md border border-line-strong bg-surface px-2 text-xs"
          onChange={(event) => setText(event.target.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key === "Enter") add();
            if (event.key === "Escape") setAdding(false);
          }}
        />
      ) : (
        <button
          type="button"
          className="inline-flex h-6 items-center gap-1 rounded-md px-1.5 text-xs text-muted hover:bg-raised hover:text-ink"
          onClick={() => setAdding(true)}
        >
          <Plus size={12} /> Tag
        </button>
      )}
    </div>
  );
}
