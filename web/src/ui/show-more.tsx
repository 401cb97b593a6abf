import { t } from "~/lib/language";
import { Button } from "~/ui/button";

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** A button that loads the next page of a list; hidden after the last page. */
export function ShowMore({ list, className }: { list: Pages; className?: string }) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      className={className}
      busy={list.isFetchingNextPage}
      onClick={() => list.fetchNextPage()}
    >
      {t("Show more")}
    </Button>
  );
}
