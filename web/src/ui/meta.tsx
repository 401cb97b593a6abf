import clsx from "clsx";
import { Children, type ReactNode } from "react";

/** Short facts in a line, with dots between them; a line never begins with a dot. */
export function Meta({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <div className={clsx("overflow-hidden text-xs text-muted", className)}>
      <ul className="-ms-4 flex flex-wrap gap-y-1">
        {Children.toArray(children).map((child, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: facts do not move
          <li key={i} className="meta-item relative flex min-w-0 items-center ps-4">
            {child}
          </li>
        ))}
      </ul>
    </div>
  );
}
