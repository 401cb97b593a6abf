import { Compass } from "lucide-react";
import { Link } from "react-router";
import { t } from "~/lib/language";
import { useTitle } from "~/lib/use-title";
import { buttonClass } from "~/ui/button";
import { EmptyState } from "~/ui/states";

export default function NotFound() {
  useTitle(t("Not found"));
  return (
    <EmptyState
      icon={Compass}
      title={t("This page does not exist")}
      actions={
        <Link to="/dashboard" className={buttonClass("primary")}>
          {t("Go home")}
        </Link>
      }
    >
      {t("The address may be mistyped, or what was here has been deleted.")}
    </EmptyState>
  );
}
