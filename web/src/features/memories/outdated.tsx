import { Link } from "react-router";
import { t } from "~/lib/language";
import { Chip } from "~/ui/chip";

type Props = { newer: { id: string; content: string } };

/** Links to the memory that replaced this one, or replaced part of this document. */
export function Outdated({ newer }: Props) {
  return (
    <p className="mt-2 flex items-center gap-2 text-sm">
      <Chip tone="warning">{t("Outdated")}</Chip>
      <Link to={`/memories/${newer.id}`} className="truncate hover:text-accent" dir="auto">
        {newer.content}
      </Link>
    </p>
  );
}
