import { Compass } from "lucide-react";
import { Link } from "react-router";
import { useTitle } from "~/lib/use-title";
import { buttonClass } from "~/ui/button";
import { EmptyState } from "~/ui/states";

export default function NotFound() {
  useTitle("Not found");
  return (
    <EmptyState
      icon={Compass}
      title="This page does not exist"
      actions={
        <Link to="/dashboard" className={buttonClass("primary")}>
          Go home
        </Link>
      }
    >
      The address may be mistyped, or what was here has been deleted.
    </EmptyState>
  );
}
