import {
  BookMarked,
  CircleCheck,
  CircleHelp,
  Clock3,
  Heart,
  Lightbulb,
  ListTodo,
  type LucideIcon,
  MapPin,
  Repeat2,
  Route,
  Scale,
  StickyNote,
} from "lucide-react";
import { t } from "~/lib/language";

export const CATEGORIES = [
  "fact",
  "preference",
  "decision",
  "task",
  "episode",
  "insight",
  "lesson",
  "procedure",
  "pattern",
  "context",
  "note",
] as const;
export type Category = (typeof CATEGORIES)[number];

const ICONS: Record<Category, LucideIcon> = {
  fact: CircleCheck,
  preference: Heart,
  decision: Scale,
  task: ListTodo,
  episode: Clock3,
  insight: Lightbulb,
  lesson: BookMarked,
  procedure: Route,
  pattern: Repeat2,
  context: MapPin,
  note: StickyNote,
};

const NAMES: Record<Category, string> = {
  fact: t("Fact"),
  preference: t("Preference"),
  decision: t("Decision"),
  task: t("Task"),
  episode: t("Episode"),
  insight: t("Insight"),
  lesson: t("Lesson"),
  procedure: t("Procedure"),
  pattern: t("Pattern"),
  context: t("Context"),
  note: t("Note"),
};

export function isCategory(value: string): value is Category {
  return (CATEGORIES as readonly string[]).includes(value);
}

export function CategoryIcon({ category, size = 14 }: { category: string; size?: number }) {
  const Icon = isCategory(category) ? ICONS[category] : CircleHelp;
  return (
    <Icon
      size={size}
      strokeWidth={1.75}
      aria-label={categoryName(category)}
      className="shrink-0 text-kind-memory"
    />
  );
}

export function categoryName(category: string): string {
  return isCategory(category) ? NAMES[category] : category;
}
