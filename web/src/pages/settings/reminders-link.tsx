import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import { Section } from "~/ui/layout";

export function RemindersLink() {
  return (
    <Section
      id="reminders"
      title="Reminders"
      description="The morning page by mail or on your phone, and what is due in your calendar."
    >
      <Link
        to="/settings/reminders"
        className="inline-flex items-center gap-1 text-sm text-accent hover:underline"
      >
        Manage reminders <ArrowRight size={14} />
      </Link>
    </Section>
  );
}
