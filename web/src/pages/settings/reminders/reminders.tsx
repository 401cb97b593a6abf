import { Link } from "react-router";
import { t } from "~/lib/language";
import { useTitle } from "~/lib/use-title";
import { PageLayout } from "~/ui/layout";
import { Calendars } from "./calendars";
import { Deliveries } from "./deliveries";

/** How what is due reaches the user. */
export default function Reminders() {
  useTitle(t("Reminders"));
  return (
    <PageLayout
      title={t("Reminders")}
      description={
        <>
          {t("How what is due reaches you.")}{" "}
          <Link to="/settings" className="text-accent underline underline-offset-2">
            {t("All settings")}
          </Link>
        </>
      }
      width="reading"
    >
      <div className="space-y-10">
        <Deliveries />
        <Calendars />
      </div>
    </PageLayout>
  );
}
