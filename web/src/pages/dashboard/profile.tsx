import { useQuery } from "@tanstack/react-query";
import { Pin } from "lucide-react";
import { Link } from "react-router";
import { toast } from "sonner";
import { CategoryIcon } from "~/features/memories/categories";
import { profileQuery, useForgetMemories, useLifecycle } from "~/features/memories/memories";
import { Button } from "~/ui/button";
import { Row, Rows, Section } from "~/ui/layout";
import { Menu, MenuItem } from "~/ui/menu";
import { Loaded, SkeletonList } from "~/ui/states";

const SHOWN = 6;

/** What remem knows about the user; each line can be marked as wrong. */
export function Profile() {
  const profile = useQuery(profileQuery);
  const lifecycle = useLifecycle();
  const forget = useForgetMemories();
  return (
    <Section title="What remem knows about you">
      <Loaded query={profile} skeleton={<SkeletonList rows={4} height="h-10" />}>
        {({ standing_instructions: pinned, static_facts, recent_context }) => {
          const known = [...static_facts, ...recent_context].slice(0, SHOWN);
          if (!known.length && !pinned.length) {
            return <p className="text-sm text-muted">Nothing yet. It grows as you save more.</p>;
          }
          return (
            <Rows>
              {pinned.map((instruction) => (
                <Row key={instruction.id} className="flex-nowrap py-2!">
                  <Pin
                    size={14}
                    className="shrink-0 text-accent"
                    aria-label="Standing instruction"
                  />
                  <Link
                    to="/settings#instructions"
                    className="line-clamp-2 flex-1 text-sm hover:text-accent"
                    dir="auto"
                  >
                    {instruction.content}
                  </Link>
                </Row>
              ))}
              {known.map((item) => (
                <Row key={item.id} className="flex-nowrap py-2!">
                  <CategoryIcon category={item.memory_type} />
                  <Link
                    to={`/memories/${item.id}`}
                    className="line-clamp-2 flex-1 text-sm hover:text-accent"
                    dir="auto"
                  >
                    {item.content}
                  </Link>
                  <Menu
                    trigger={
                      <Button variant="quiet" size="sm" className="-me-2">
                        Wrong?
                      </Button>
                    }
                  >
                    <MenuItem
                      onSelect={() =>
                        lifecycle.mutate(
                          { id: item.id, body: { review: "decline" } },
                          {
                            onSuccess: () => toast("Declined. You can find it under Review."),
                          },
                        )
                      }
                    >
                      That is wrong
                    </MenuItem>
                    <MenuItem onSelect={() => forget.mutate([item.id])}>Forget it</MenuItem>
                  </Menu>
                </Row>
              ))}
            </Rows>
          );
        }}
      </Loaded>
    </Section>
  );
}
