import { Link } from "react-router";
import { useTitle } from "~/lib/use-title";
import { PageLayout } from "~/ui/layout";
import { Calendars } from "./calendars";
import { Deliveries } from "./deliveries";

/** How what is due reaches the user. */
export default function Reminders() {
  useTitle("Reminders");
  return (
    <PageLayout
      title="Reminders"
      description={
        <>
          How what is due reaches you.{" "}
          <Link to="/settings" className="text-accent underline underline-offset-2">
            All settings
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
