import { useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import { signInsQuery, useEndSignIn } from "~/features/account/account";
import { messageOf } from "~/lib/api";
import { rich, t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Chip } from "~/ui/chip";
import { Row, Rows, Section } from "~/ui/layout";
import { Loaded, SkeletonList } from "~/ui/states";
import { Time } from "~/ui/time";

/** The browser and the operating system from a user agent string. */
function nameOf(agent: string | null | undefined): string {
  const text = agent ?? "";
  const browser = /(Edg|Firefox|Chrome|Safari)/.exec(text)?.[1]?.replace("Edg", "Edge");
  const system = /(Windows|Mac OS X|Android|iPhone|iPad|Linux)/.exec(text)?.[1];
  return [browser, system].filter(Boolean).join(" · ") || text.slice(0, 60) || t("Unknown browser");
}

export function Sessions() {
  const sessions = useQuery(signInsQuery);
  const end = useEndSignIn();
  return (
    <Section
      id="sessions"
      title={t("Signed-in browsers")}
      description={t("Where you are signed in now.")}
    >
      <Loaded query={sessions} skeleton={<SkeletonList rows={1} height="h-14" />}>
        {(all) => (
          <Rows>
            {all.map((session) => (
              <Row key={session.id}>
                <div className="flex-1">
                  <div className="font-medium">{nameOf(session.agent)}</div>
                  <div className="text-sm text-muted">
                    {rich("Signed in {time}", { time: <Time at={session.created_at} /> })}
                  </div>
                </div>
                {session.current ? (
                  <Chip tone="accent">{t("This browser")}</Chip>
                ) : (
                  <Button
                    size="sm"
                    variant="danger"
                    onClick={() =>
                      end.mutate(session.id, {
                        onSuccess: () => toast.success(t("Browser signed out")),
                        onError: (error) => toast.error(messageOf(error)),
                      })
                    }
                  >
                    {t("Sign out")}
                  </Button>
                )}
              </Row>
            ))}
          </Rows>
        )}
      </Loaded>
    </Section>
  );
}
