import { useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import { grantsQuery, useRevokeGrant } from "~/features/keys/keys";
import { messageOf } from "~/lib/api";
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
      title="Connected apps"
      description="Assistants that you gave access without a key."
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
                      {grant.last_used_at ? (
                        <>
                          last used <Time at={grant.last_used_at} />
                        </>
                      ) : (
                        "never used"
                      )}
                    </div>
                  </div>
                  <Button
                    variant="danger"
                    size="sm"
                    onClick={() =>
                      revoke.mutate(grant.id, {
                        onSuccess: () => toast.success(`${grant.client_name} is disconnected`),
                        onError: (error) => toast.error(messageOf(error)),
                      })
                    }
                  >
                    Disconnect
                  </Button>
                </Row>
              ))}
            </Rows>
          ) : (
            <p className="text-sm text-muted">No app is connected.</p>
          )
        }
      </Loaded>
    </Section>
  );
}
