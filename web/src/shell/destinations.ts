import {
  Activity,
  Brain,
  CalendarDays,
  FolderTree,
  House,
  Library,
  type LucideIcon,
  MessageCircleQuestion,
  Plug,
  Search,
  Settings,
  Sparkles,
  Sun,
  Trash2,
  Users,
  Waypoints,
} from "lucide-react";
import { t } from "~/lib/language";

export type Destination = {
  to: string;
  label: string;
  icon: LucideIcon;
  keys: string;
};

export const MAIN: Destination[] = [
  { to: "/dashboard", label: t("Home"), icon: House, keys: "g h" },
  { to: "/search", label: t("Search"), icon: Search, keys: "g s" },
  { to: "/ask", label: t("Ask"), icon: MessageCircleQuestion, keys: "g k" },
  { to: "/library", label: t("Library"), icon: Library, keys: "g l" },
  { to: "/memories", label: t("Memories"), icon: Brain, keys: "g m" },
  { to: "/graph", label: t("Graph"), icon: Waypoints, keys: "g g" },
  { to: "/timeline", label: t("Timeline"), icon: CalendarDays, keys: "g t" },
];

export const MORE: Destination[] = [
  { to: "/today", label: t("Today"), icon: Sun, keys: "g d" },
  { to: "/people", label: t("People"), icon: Users, keys: "g n" },
  { to: "/activity", label: t("Activity"), icon: Activity, keys: "g a" },
  { to: "/trash", label: t("Trash"), icon: Trash2, keys: "g r" },
  { to: "/evolution", label: t("Changes"), icon: Sparkles, keys: "g e" },
  { to: "/connect", label: t("Connect"), icon: Plug, keys: "g c" },
  { to: "/settings", label: t("Settings"), icon: Settings, keys: "g ," },
];

export const PROJECTS: Destination = {
  to: "/projects",
  label: t("Projects"),
  icon: FolderTree,
  keys: "g p",
};

/** The bottom bar on a phone has room for five items; the fifth is "More". */
export const PHONE: Destination[] = MAIN.slice(0, 4);
