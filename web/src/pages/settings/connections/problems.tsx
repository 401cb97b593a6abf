import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { problemsQuery } from "~/features/connections/connections";
import { plural } from "~/lib/format";

/** The skipped items, each with the reason. */
export function Problems({ id, count }: { id: string; count: number }) {
  const [open, setOpen] = useState(false);
  const problems = useQuery({ ...problemsQuery(id), enabled: open });
  return (
    <details className="text-sm" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-warning">
        {plural(count, "item")} skipped: see why
      </summary>
      <ul className="mt-2 max-h-60 space-y-1 overflow-y-auto rounded-md bg-raised p-3">
        {problems.data?.map(({ reference, path, problem }) => (
          <li key={reference} className="break-words">
            <span dir="auto">{path ?? reference}</span>
            <span className="text-muted">: {problem}</span>
          </li>
        ))}
        {problems.data?.length === 0 && <li>{plural(0, "item")}</li>}
      </ul>
    </details>
  );
}
