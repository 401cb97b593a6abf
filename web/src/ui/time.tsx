import { absoluteTime, timeAgo } from "~/lib/format";

/** A relative time, with the absolute time on hover. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={absoluteTime(at)} className="whitespace-nowrap">
      {timeAgo(at)}
    </time>
  );
}
