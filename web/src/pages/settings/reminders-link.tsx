import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import { t } from "~/lib/language";
import { Section } from "~/ui/layout";

export function RemindersLink() {
  return (
    <Section
      id="reminders"
      title={t("Reminders")}
      description={t(
        "The morning page by mail or on your phone, and what is due in your calendar.",
      )}
    >
      <Link
        to="/settings/reminders"
        className="inline-flex items-center gap-1 text-sm text-accent hover:underline"
      >
        {t("Manage reminders")} <ArrowRight size={14} />
      </Link>
    </Section>
  );
}
