import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { ProjectSelect } from "~/features/projects/project-select";
import {
  type Calendar,
  calendarsQuery,
  useMakeCalendar,
  useRevokeCalendar,
} from "~/features/reminders/calendars";
import { messageOf } from "~/lib/api";
import { shortDate } from "~/lib/format";
import { rich, t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Confirm } from "~/ui/confirm";
import { CopyBox } from "~/ui/copy-button";
import { Input } from "~/ui/input";
import { Card, Row, Rows, Section } from "~/ui/layout";
import { ErrorText, Loaded, SkeletonList } from "~/ui/states";
import { Time } from "~/ui/time";

/** Addresses at which a calendar program reads what is due. */
export function Calendars() {
  const calendars = useQuery(calendarsQuery);
  const [revoking, setRevoking] = useState<Calendar>();
  const revoke = useRevokeCalendar();
  return (
    <Section
      id="calendars"
      title={t("In your calendar")}
      description={t(
        "Subscribe to what is due in any calendar program. Who has the address can read this, and nothing else; revoke it when you no longer need it.",
      )}
    >
      <div className="space-y-3">
        <NewCalendar />
        <Loaded query={calendars} skeleton={<SkeletonList rows={1} height="h-14" />}>
          {({ calendars: all }) =>
            all.length ? (
              <Rows>
                {all.map((calendar) => (
                  <Row key={calendar.id}>
                    <div className="min-w-0 flex-1">
                      <div className="truncate font-medium" dir="auto">
                        {calendar.name}
                      </div>
                      <div className="text-sm text-muted">
                        {calendar.project ?? t("All projects")} ·{" "}
                        {calendar.last_read_at
                          ? rich("last read {time}", {
                              time: <Time at={calendar.last_read_at} />,
                            })
                          : t("never read")}
                        {calendar.expires_at &&
                          ` · ${t("expires {date}", { date: shortDate(calendar.expires_at) })}`}
                      </div>
                    </div>
                    <Button
                      variant="danger"
                      size="sm"
                      aria-label={t("Revoke {name}", { name: calendar.name })}
                      onClick={() => setRevoking(calendar)}
                    >
                      {t("Revoke")}
                    </Button>
                  </Row>
                ))}
              </Rows>
            ) : (
              <p className="text-sm text-muted">{t("No calendar program reads from here.")}</p>
            )
          }
        </Loaded>
      </div>
      <Confirm
        open={revoking !== undefined}
        title={t("Revoke {name}?", { name: revoking?.name ?? "" })}
        description={t(
          "Its address stops working at once; calendar programs show what they read last.",
        )}
        action={t("Revoke")}
        onClose={() => setRevoking(undefined)}
        onConfirm={() => {
          if (!revoking) return;
          revoke.mutate(revoking.id, { onError: (error) => toast.error(messageOf(error)) });
          setRevoking(undefined);
        }}
      />
    </Section>
  );
}

function NewCalendar() {
  const [name, setName] = useState("remem");
  const [project, setProject] = useState("");
  const make = useMakeCalendar();
  const address = make.data?.url;
  return (
    <Card className="space-y-3 p-4">
      <form
        className="flex flex-wrap items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          make.mutate({ name, project: project || null });
        }}
      >
        <Input
          aria-label={t("Name of the calendar")}
          required
          maxLength={100}
          className="w-40! flex-1"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ProjectSelect
          label={t("Project")}
          none={t("All projects")}
          value={project}
          onChange={setProject}
        />
        <Button type="submit" variant="primary" busy={make.isPending}>
          {t("Make an address")}
        </Button>
      </form>
      {make.error && <ErrorText>{messageOf(make.error)}</ErrorText>}
      {address && (
        <>
          <CopyBox text={address} />
          <p className="text-sm text-muted">
            {t("It is shown once. Paste it where your calendar says “subscribe” or “from URL”.")}{" "}
            <a
              href={address.replace(/^https?:/, "webcal:")}
              className="text-accent underline underline-offset-2"
            >
              {t("Open it in your calendar")}
            </a>
          </p>
        </>
      )}
    </Card>
  );
}
