import { useQueryClient } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { useEffect } from "react";
import { toast } from "sonner";
import { refreshDocuments } from "~/features/documents/documents";
import { sendWaiting, waitingToBeSent } from "~/features/documents/outbox";
import { plural, withoutStop } from "~/lib/format";
import { useOnline } from "~/lib/use-online";

/** Shows that the browser is offline, and sends waiting notes when it is online again. */
export function OfflineBanner() {
  const online = useOnline();
  const queries = useQueryClient();
  useEffect(() => {
    if (!online || !waitingToBeSent().length) return;
    sendWaiting().then(({ sent, problem }) => {
      if (sent) {
        toast.success(`Sent ${plural(sent, "note")} that you added while offline`);
        refreshDocuments(queries);
      }
      if (problem)
        toast.error(`A note that you added while offline was refused: ${withoutStop(problem)}.`);
    });
  }, [online, queries]);
  if (online) return null;
  return (
    <div
      role="status"
      className="flex items-center gap-2 bg-warning-soft px-4 py-1.5 text-sm text-warning"
    >
      <WifiOff size={14} />
      You are offline. You can read what is loaded; what you add is sent later.
    </div>
  );
}
