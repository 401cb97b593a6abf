import { WifiOff } from "lucide-react";
import { t } from "~/lib/language";
import { useOnline } from "~/lib/use-online";

export function OfflineBanner() {
  if (useOnline()) return null;
  return (
    <div
      role="status"
      className="flex items-center gap-2 bg-warning-soft px-4 py-1.5 text-sm text-warning"
    >
      <WifiOff size={14} />
      {t("You are offline. You can read what you opened before; what you add is sent later.")}
    </div>
  );
}
