import { FileUp, FlaskConical, type LucideIcon, PenLine, Plug } from "lucide-react";
import { Link } from "react-router";
import { useAddSamples } from "~/features/samples/samples";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";

const STEPS: { icon: LucideIcon; title: string; text: string; to: string }[] = [
  {
    icon: PenLine,
    title: t("Save your first note"),
    text: t("Write a note in the box above, paste a link or drop a file."),
    to: "#content",
  },
  {
    icon: FileUp,
    title: t("Import what you have"),
    text: t("Bring your data from another product, or a folder of notes."),
    to: "/settings#import",
  },
  {
    icon: Plug,
    title: t("Connect an assistant"),
    text: t("Let Claude, Cursor or ChatGPT save and find things here."),
    to: "/connect",
  },
];

export function FirstRun() {
  return (
    <>
      <Steps />
      <Samples />
    </>
  );
}

function Samples() {
  const add = useAddSamples();
  return (
    <div className="mt-3 flex flex-wrap items-center gap-3 rounded-lg border border-dashed p-4">
      <FlaskConical size={18} strokeWidth={1.75} className="text-accent" aria-hidden />
      <p className="min-w-48 flex-1 text-sm text-muted">
        {t(
          "Or look around first with eight sample notes and the memories from them. One click removes them.",
        )}
      </p>
      <Button busy={add.isPending} onClick={() => add.mutate()}>
        {add.isPending ? t("Adding sample data…") : t("Try sample data")}
      </Button>
    </div>
  );
}

function Steps() {
  return (
    <ul className="grid gap-3 sm:grid-cols-3">
      {STEPS.map(({ icon: Icon, title, text, to }) => (
        <li
          key={title}
          className="relative rounded-lg border bg-surface p-4 hover:border-line-strong"
        >
          <Icon size={18} strokeWidth={1.75} className="mb-2 text-accent" />
          <h3 className="font-medium">
            <Link to={to} className="after:absolute after:inset-0">
              {title}
            </Link>
          </h3>
          <p className="text-sm text-muted">{text}</p>
        </li>
      ))}
    </ul>
  );
}
