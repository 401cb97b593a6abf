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

export type Destination = {
  to: string;
  label: string;
  icon: LucideIcon;
  keys: string;
};

export const MAIN: Destination[] = [
  { to: "/dashboard", label: "Home", icon: House, keys: "g h" },
  { to: "/search", label: "Search", icon: Search, keys: "g s" },
  { to: "/ask", label: "Ask", icon: MessageCircleQuestion, keys: "g k" },
  { to: "/library", label: "Library", icon: Library, keys: "g l" },
  { to: "/memories", label: "Memories", icon: Brain, keys: "g m" },
  { to: "/graph", label: "Graph", icon: Waypoints, keys: "g g" },
  { to: "/timeline", label: "Timeline", icon: CalendarDays, keys: "g t" },
];

export const MORE: Destination[] = [
  { to: "/today", label: "Today", icon: Sun, keys: "g d" },
  { to: "/people", label: "People", icon: Users, keys: "g n" },
  { to: "/activity", label: "Activity", icon: Activity, keys: "g a" },
  { to: "/trash", label: "Trash", icon: Trash2, keys: "g r" },
  { to: "/evolution", label: "Changes", icon: Sparkles, keys: "g e" },
  { to: "/connect", label: "Connect", icon: Plug, keys: "g c" },
  { to: "/settings", label: "Settings", icon: Settings, keys: "g ," },
];

export const PROJECTS: Destination = {
  to: "/projects",
  label: "Projects",
  icon: FolderTree,
  keys: "g p",
};

/** The bottom bar on a phone has room for five items; the fifth is "More". */
export const PHONE: Destination[] = MAIN.slice(0, 4);
