import {
  AtSign,
  Cable,
  Cloud,
  Database,
  FolderOpen,
  Gem,
  GitBranch,
  Globe,
  HardDrive,
  Hash,
  type LucideIcon,
  Mail,
  NotebookText,
  Rss,
} from "lucide-react";

const ICONS: Record<string, LucideIcon> = {
  feed: Rss,
  folder: FolderOpen,
  obsidian: Gem,
  github: GitBranch,
  notion: NotebookText,
  google_drive: HardDrive,
  slack: Hash,
  imap: Mail,
  gmail: Mail,
  outlook: Mail,
  s3: Database,
  crawler: Globe,
  web: Globe,
  onedrive: Cloud,
  x: AtSign,
};

export function iconOf(provider: string): LucideIcon {
  return ICONS[provider] ?? Cable;
}
