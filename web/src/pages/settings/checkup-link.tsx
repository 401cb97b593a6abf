import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import { t } from "~/lib/language";
import { Section } from "~/ui/layout";

export function CheckupLink() {
  return (
    <Section
      id="checkup"
      title={t("Check-up")}
      description={t(
        "Duplicates, contradictions, passwords in plain text, and what else there is to tidy.",
      )}
    >
      <Link
        to="/settings/checkup"
        className="inline-flex items-center gap-1 text-sm text-accent hover:underline"
      >
        {t("Check my store")} <ArrowRight size={14} />
      </Link>
    </Section>
  );
}
