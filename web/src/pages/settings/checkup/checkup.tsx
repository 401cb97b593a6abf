import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, CircleCheck } from "lucide-react";
import { Link } from "react-router";
import { checkupQuery } from "~/features/checkup/checkup";
import { t } from "~/lib/language";
import { useUrlState } from "~/lib/url-state";
import { useTitle } from "~/lib/use-title";
import { PageLayout } from "~/ui/layout";
import { EmptyState, Loaded, SkeletonList } from "~/ui/states";
import { FindingCard } from "./finding-card";

export default function CheckUp() {
  useTitle(t("Check-up"));
  const checkup = useQuery(checkupQuery);
  const [params, change] = useUrlState();
  return (
    <PageLayout
      title={t("Check-up")}
      description={t(
        "What there is to tidy in your store. Nothing changes until you say so, and every fix can be undone.",
      )}
      width="reading"
      actions={
        <Link
          to="/settings"
          className="inline-flex items-center gap-1.5 text-sm text-muted hover:text-ink"
        >
          <ArrowLeft size={14} /> {t("Settings")}
        </Link>
      }
    >
      <Loaded query={checkup} skeleton={<SkeletonList rows={5} height="h-16" />}>
        {(findings) =>
          findings.length ? (
            <div className="space-y-3">
              {findings.map((finding) => (
                <FindingCard
                  key={finding.kind}
                  finding={finding}
                  isOpen={params.get("open") === finding.kind}
                  onToggle={(kind) => change({ open: kind })}
                />
              ))}
            </div>
          ) : (
            <EmptyState icon={CircleCheck} title={t("Nothing to do")}>
              {t("No duplicates, contradictions, secrets or gaps were found.")}
            </EmptyState>
          )
        }
      </Loaded>
    </PageLayout>
  );
}
