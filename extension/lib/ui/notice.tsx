import { CircleAlert, CircleCheck, Clock, Info } from "lucide-react";
import type { ReactNode } from "react";

type Tone = "plain" | "good" | "warning" | "bad";
const ICONS = { plain: Info, good: CircleCheck, warning: Clock, bad: CircleAlert };

/** A message that screen readers announce when it changes. */
export function Notice({ tone = "plain", children }: { tone?: Tone; children: ReactNode }) {
  const Icon = ICONS[tone];
  return (
    <div className={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <Icon size={16} aria-hidden />
      <div className="grow">{children}</div>
    </div>
  );
}
