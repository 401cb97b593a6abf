import { Button } from "~/ui/button";

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** A button below a list that comes in pages; none after the last page. */
export function ShowMore({ list, className }: { list: Pages; className?: string }) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      className={className}
      busy={list.isFetchingNextPage}
      onClick={() => list.fetchNextPage()}
    >
      Show more
    </Button>
  );
}
