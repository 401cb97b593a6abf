import {
  AudioLines,
  BookOpen,
  Braces,
  Captions,
  Code,
  FileSpreadsheet,
  FileText,
  Globe,
  Image,
  type LucideIcon,
  Mail,
  MessageCircle,
  NotebookPen,
  Presentation,
  Table,
  Video,
} from "lucide-react";
import { t } from "~/lib/language";

const KINDS: Record<string, { icon: LucideIcon; label: string }> = {
  text: { icon: NotebookPen, label: t("Note") },
  markdown: { icon: NotebookPen, label: t("Note") },
  note: { icon: NotebookPen, label: t("Note") },
  html: { icon: Globe, label: t("Web page") },
  url: { icon: Globe, label: t("Web page") },
  pdf: { icon: FileText, label: "PDF" },
  image: { icon: Image, label: t("Picture") },
  audio: { icon: AudioLines, label: t("Audio") },
  video: { icon: Video, label: t("Video") },
  code: { icon: Code, label: t("Code") },
  json: { icon: Braces, label: "JSON" },
  csv: { icon: Table, label: t("Table") },
  docx: { icon: FileText, label: t("Word") },
  xlsx: { icon: FileSpreadsheet, label: t("Spreadsheet") },
  pptx: { icon: Presentation, label: t("Slides") },
  epub: { icon: BookOpen, label: t("Book") },
  email: { icon: Mail, label: t("Email") },
  tweet: { icon: MessageCircle, label: t("Post") },
  subtitles: { icon: Captions, label: t("Subtitles") },
};
/** A web page is stored as HTML. */
const STORED_TYPES = Object.keys(KINDS).filter((type) => type !== "url");
const UNKNOWN = { icon: FileText, label: t("Document") };

/** The content types to filter by; of types with the same label only one is listed. */
export const CONTENT_TYPES = Object.keys(KINDS).filter(
  (type) => !["markdown", "note", "url"].includes(type),
);

/** All content types with the labels of these. */
export function sameKinds(types: string[]): string[] {
  const labels = types.map((type) => kindOf(type).label);
  return STORED_TYPES.filter((type) => labels.includes(kindOf(type).label));
}

export function kindOf(type: string) {
  return KINDS[type] ?? UNKNOWN;
}

export function KindIcon({ type, size = 16 }: { type: string; size?: number }) {
  const { icon: Icon, label } = kindOf(type);
  return <Icon size={size} strokeWidth={1.75} aria-label={label} className="shrink-0" />;
}
