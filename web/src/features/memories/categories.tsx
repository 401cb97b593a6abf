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

export function isCategory(value: string): value is Category {
  return (CATEGORIES as readonly string[]).includes(value);
}

export function CategoryIcon({ category, size = 14 }: { category: string; size?: number }) {
  const Icon = isCategory(category) ? ICONS[category] : CircleHelp;
  return (
    <Icon
      size={size}
      strokeWidth={1.75}
      aria-label={category}
      className="shrink-0 text-kind-memory"
    />
  );
}

export function categoryName(category: string): string {
  return category.slice(0, 1).toUpperCase() + category.slice(1);
}
