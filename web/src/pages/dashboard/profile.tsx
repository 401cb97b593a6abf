import { useQuery } from "@tanstack/react-query";
import { Pin } from "lucide-react";
import { Link } from "react-router";
import { toast } from "sonner";
import { CategoryIcon } from "~/features/memories/categories";
import {
  isSomeoneElse,
  type ProfileItem,
  profileQuery,
  useForgetMemories,
  useLifecycle,
} from "~/features/memories/memories";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Row, Rows, Section } from "~/ui/layout";
import { Menu, MenuItem } from "~/ui/menu";
import { SkeletonList } from "~/ui/states";

const SHOWN = 6;

/** What the user said, and what others said about them; each line can be marked as wrong. */
export function Profile() {
  const { data } = useQuery(profileQuery);
  if (!data) return <SkeletonList rows={4} height="h-10" />;
  const { standing_instructions: pinned, static_facts: facts } = data;
  if (!facts.length && !pinned.length) return null;
  return (
    <Section title={t("About you")}>
      <Rows>
        {pinned.map((instruction) => (
          <Row key={instruction.id} className="flex-nowrap py-2!">
            <Pin
              size={14}
              className="shrink-0 text-accent"
              aria-label={t("Standing instruction")}
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
        {facts.slice(0, SHOWN).map((item) => (
          <Fact key={item.id} item={item} />
        ))}
      </Rows>
    </Section>
  );
}

function Fact({ item }: { item: ProfileItem }) {
  const lifecycle = useLifecycle();
  const forget = useForgetMemories();
  const decline = () =>
    lifecycle.mutate(
      { id: item.id, body: { review: "decline" } },
      { onSuccess: () => toast(t("Declined. You can find it under Review.")) },
    );
  return (
    <Row className="group flex-nowrap gap-x-3! py-2!">
      <CategoryIcon category={item.memory_type} />
      <div className="min-w-0 flex-1 text-sm">
        <Link
          to={`/memories/${item.id}`}
          className="line-clamp-3 break-words hover:text-accent"
          dir="auto"
        >
          {item.content}
        </Link>
        {isSomeoneElse(item.speaker) && (
          <p className="text-xs text-muted">{t("said by {name}", { name: item.speaker })}</p>
        )}
      </div>
      <Menu
        trigger={
          <Button
            variant="quiet"
            size="sm"
            className="-me-2 group-hover:opacity-100 focus-visible:opacity-100 pointer-fine:opacity-0"
          >
            {t("Wrong?")}
          </Button>
        }
      >
        <MenuItem onSelect={decline}>{t("That is wrong")}</MenuItem>
        <MenuItem onSelect={() => forget.mutate([item.id])}>{t("Forget it")}</MenuItem>
      </Menu>
    </Row>
  );
}
