import { useCallback, useEffect, useState } from "react";
import { ask, type Status } from "../messages";

/** The state of the extension, and a function that reads it again. */
export function useStatus(): [Status | null, (status?: Status) => void] {
  const [status, setStatus] = useState<Status | null>(null);
  const refresh = useCallback((known?: Status) => {
    if (known) setStatus(known);
    else ask({ type: "status" }).then(setStatus);
  }, []);
  useEffect(() => refresh(), [refresh]);
  return [status, refresh];
}
