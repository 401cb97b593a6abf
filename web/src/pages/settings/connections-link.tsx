import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import { Section } from "~/ui/layout";

export function ConnectionsLink() {
  return (
    <Section
      id="connections"
      title="Connections"
      description="Feeds, repositories, folders and accounts that remem keeps up with."
    >
      <Link
        to="/settings/connections"
        className="inline-flex items-center gap-1 text-sm text-accent hover:underline"
      >
        Manage connections <ArrowRight size={14} />
      </Link>
    </Section>
  );
}
