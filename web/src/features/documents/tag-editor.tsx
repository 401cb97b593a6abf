import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useId, useState } from "react";
import { Link } from "react-router";
import { t } from "~/lib/language";
import { Chip } from "~/ui/chip";
import { tagsQuery } from "./tags";

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
          removeLabel={t("Remove the tag {tag}", { tag })}
          onRemove={() => onChange(tags.filter((other) => other !== tag))}
        >
          <Link to={`/tags/${encodeURIComponent(tag)}`} className="hover:text-ink">
            #{tag}
          </Link>
        </Chip>
      ))}
      {adding ? (
        <NewTag
          value={text}
          known={tags}
          onChange={setText}
          onDone={add}
          onCancel={() => setAdding(false)}
        />
      ) : (
        <button
          type="button"
          className="inline-flex h-6 items-center gap-1 rounded-md px-1.5 text-xs text-muted hover:bg-raised hover:text-ink"
          onClick={() => setAdding(true)}
        >
          <Plus size={12} /> {t("Tag")}
        </button>
      )}
    </div>
  );
}

type NewTagProps = {
  value: string;
  known: string[];
  onChange: (text: string) => void;
  onDone: () => void;
  onCancel: () => void;
};

function NewTag({ value, known, onChange, onDone, onCancel }: NewTagProps) {
  const list = useId();
  const { data = [] } = useQuery(tagsQuery);
  return (
    <>
      <input
        // biome-ignore lint/a11y/noAutofocus: the field appears when the user adds a tag
        autoFocus
        aria-label={t("New tag")}
        list={list}
        value={value}
        className="h-6 w-36 rounded-md border border-line-strong bg-surface px-2 text-xs"
        onChange={(event) => onChange(event.target.value)}
        onBlur={onDone}
        onKeyDown={(event) => {
          if (event.key === "Enter") onDone();
          if (event.key === "Escape") onCancel();
        }}
      />
      <datalist id={list}>
        {data
          .filter(({ tag }) => !known.includes(tag))
          .map(({ tag }) => (
            <option key={tag} value={tag} />
          ))}
      </datalist>
    </>
  );
}
