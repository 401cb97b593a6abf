import { useQuery } from "@tanstack/react-query";
import { ShieldAlert } from "lucide-react";
import { Link } from "react-router";
import { serverQuery } from "~/features/stats/server";
import { t } from "~/lib/language";

/** Shown on every page while no backup was made for three days. */
export function BackupBanner() {
  const server = useQuery(serverQuery);
  if (!server.data?.backups.is_overdue) return null;
  return (
    <div
      role="alert"
      className="flex items-center gap-2 bg-danger-soft px-4 py-1.5 text-sm text-danger"
    >
      <ShieldAlert size={14} aria-hidden />
      <span>
        {t("There was no backup for three days.")}{" "}
        <Link to="/settings#storage" className="underline">
          {t("See why")}
        </Link>
      </span>
    </div>
  );
}
