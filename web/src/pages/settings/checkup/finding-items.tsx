import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import {
  FIX_LIMIT,
  type Finding,
  type FindingItem,
  findingItemsQuery,
  useFix,
} from "~/features/checkup/checkup";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { ShowMore } from "~/ui/show-more";
import { Loaded, SkeletonList } from "~/ui/states";
import { Time } from "~/ui/time";

const ACTIONS: Record<NonNullable<Finding["action"]>, string> = {
  merge: t("Merge"),
  keep_newer: t("Keep the newer"),
  trash: t("Move to trash"),
  embed: t("Embed now"),
  sync: t("Read again"),
  mask: t("Mask"),
  back_up: t("Back up now"),
};
/** One job does all of it, so that a button for each item would promise too much. */
const AT_ONCE = new Set<Finding["action"]>(["embed", "back_up"]);

export function FindingItems({ finding }: { finding: Finding }) {
  const list = useInfiniteQuery(findingItemsQuery(finding.kind));
  const fix = useFix(finding.kind);
  return (
    <div className="border-t">
      <Loaded
        query={list}
        skeleton={
          <div className="p-4">
            <SkeletonList rows={3} height="h-10" />
          </div>
        }
      >
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          const fixable = items.filter((item) => item.is_fixable).slice(0, FIX_LIMIT);
          const action = finding.action && fixable.length ? ACTIONS[finding.action] : null;
          return (
            <>
              {action && (fixable.length > 1 || AT_ONCE.has(finding.action)) && (
                <div className="flex items-center gap-3 border-b px-4 py-2">
                  <Button
                    size="sm"
                    variant="primary"
                    busy={fix.isPending}
                    onClick={() => fix.mutate(fixable.map((item) => item.key))}
                  >
                    {AT_ONCE.has(finding.action)
                      ? action
                      : t("{action}: {length} shown", { action, length: fixable.length })}
                  </Button>
                </div>
              )}
              <ul className="divide-y">
                {items.map((item) => (
                  <Item
                    key={item.key}
                    item={item}
                    action={AT_ONCE.has(finding.action) || !item.is_fixable ? null : action}
                    onFix={() => fix.mutateAsync([item.key])}
                    busy={fix.isPending}
                  />
                ))}
              </ul>
              {list.hasNextPage && (
                <div className="px-4 py-3">
                  <ShowMore list={list} />
                </div>
              )}
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

type ItemProps = {
  item: FindingItem;
  action: string | null;
  onFix: () => Promise<unknown>;
  busy: boolean;
};

function Item({ item, action, onFix, busy }: ItemProps) {
  const to = pageOf(item);
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-2.5 text-sm">
      <div className="min-w-0 flex-1 basis-56">
        <p className="line-clamp-2 break-words" dir="auto">
          {to ? (
            <Link to={to} className="hover:underline">
              {item.text}
            </Link>
          ) : (
            item.text
          )}
        </p>
        <p className="line-clamp-3 text-xs break-words text-muted" dir="auto">
          {item.detail}
          {item.at && (
            <>
              {item.detail && " · "}
              <Time at={item.at} />
            </>
          )}
        </p>
      </div>
      {action && (
        <Button size="sm" busy={busy} onClick={() => onFix().catch(() => {})}>
          {action}
        </Button>
      )}
    </li>
  );
}

function pageOf(item: FindingItem): string | null {
  if (item.subject === "memory") return `/memories/${item.id}`;
  if (item.subject === "document") return `/memory/${item.id}`;
  if (item.subject === "connection") return "/settings/connections";
  return item.subject === "agent" ? "/connect" : null;
}
