import { useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import { grantsQuery, useRevokeGrant } from "~/features/keys/keys";
import { messageOf } from "~/lib/api";
import { rich, t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Row, Rows, Section } from "~/ui/layout";
import { Loaded, SkeletonList } from "~/ui/states";
import { Time } from "~/ui/time";

export function Grants() {
  const grants = useQuery(grantsQuery);
  const revoke = useRevokeGrant();
  return (
    <Section
      id="grants"
      title={t("Connected apps")}
      description={t("Assistants that you gave access without a key.")}
    >
      <Loaded query={grants} skeleton={<SkeletonList rows={1} height="h-14" />}>
        {(all) =>
          all.length ? (
            <Rows>
              {all.map((grant) => (
                <Row key={grant.id}>
                  <div className="flex-1">
                    <div className="font-medium">{grant.client_name}</div>
                    <div className="text-sm text-muted">
                      {grant.scopes.join(", ")} ·{" "}
                      {grant.last_used_at
                        ? rich("last used {time}", { time: <Time at={grant.last_used_at} /> })
                        : t("never used")}
                    </div>
                  </div>
                  <Button
                    variant="danger"
                    size="sm"
                    onClick={() =>
                      revoke.mutate(grant.id, {
                        onSuccess: () =>
                          toast.success(
                            t("{client_name} is disconnected", { client_name: grant.client_name }),
                          ),
                        onError: (error) => toast.error(messageOf(error)),
                      })
                    }
                  >
                    {t("Disconnect")}
                  </Button>
                </Row>
              ))}
            </Rows>
          ) : (
            <p className="text-sm text-muted">{t("No app is connected.")}</p>
          )
        }
      </Loaded>
    </Section>
  );
}
