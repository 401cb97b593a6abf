import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useNavigate } from "react-router";
import { toast } from "sonner";
import { historyQuery, type Memory, useChangeMemory } from "~/features/memories/memories";
import { messageOf } from "~/lib/api";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Section } from "~/ui/layout";
import { Time } from "~/ui/time";

const WordDiff = lazy(() =>
  import("~/ui/diff-view").then((module) => ({ default: module.WordDiff })),
);

/** The versions, newest first, each compared with the one before it. */
export function Versions({ memory }: { memory: Memory }) {
  const { data } = useQuery(historyQuery(memory.id));
  const change = useChangeMemory();
  const navigate = useNavigate();
  const versions = [...(data?.versions ?? [])].sort((a, b) => b.version - a.version);
  if (versions.length < 2) return null;
  const current = versions.find((version) => version.isCurrent);
  return (
    <Section title={t("Versions")}>
      <ol className="space-y-4 border-s ps-5">
        {versions.map((version, i) => (
          <li key={version.id} className="relative">
            <span
              aria-hidden
              className={`absolute top-1.5 -start-[25px] size-2.5 rounded-full border-2 border-bg ${version.isCurrent ? "bg-accent" : "bg-line-strong"}`}
            />
            <div className="flex items-center gap-2 text-xs text-muted">
              {t("Version {version}", { version: version.version })} ·{" "}
              <Time at={version.createdAt} />
              {version.isCurrent && <span className="text-accent">{t("current")}</span>}
              {current && !version.isCurrent && (
                <Button
                  size="sm"
                  variant="quiet"
                  busy={change.isPending}
                  onClick={() =>
                    change.mutate(
                      { id: current.id, body: { content: version.content } },
                      {
                        onSuccess: ({ id }) => {
                          toast.success(
                            t("Version {version} restored", { version: version.version }),
                          );
                          navigate(`/memories/${id}`, { replace: true });
                        },
                        onError: (error) => toast.error(messageOf(error)),
                      },
                    )
                  }
                >
                  {t("Restore")}
                </Button>
              )}
            </div>
            <p dir="auto">
              <Suspense fallback={version.content}>
                {versions[i + 1] ? (
                  <WordDiff before={versions[i + 1]?.content ?? ""} after={version.content} />
                ) : (
                  version.content
                )}
              </Suspense>
            </p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
