import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import { t } from "~/lib/language";
import { Section } from "~/ui/layout";

export function ConnectionsLink() {
  return (
    <Section
      id="connections"
      title={t("Connections")}
      description={t("Feeds, repositories, folders and accounts that remem keeps up with.")}
    >
      <Link
        to="/settings/connections"
        className="inline-flex items-center gap-1 text-sm text-accent hover:underline"
      >
        {t("Manage connections")} <ArrowRight size={14} />
      </Link>
    </Section>
  );
}
