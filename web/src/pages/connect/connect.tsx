import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { Link } from "react-router";
import { grantsQuery, keysQuery } from "~/features/keys/keys";
import { SERVER } from "~/lib/base";
import { rich, t } from "~/lib/language";
import { useUrlState } from "~/lib/url-state";
import { useTitle } from "~/lib/use-title";
import { buttonClass } from "~/ui/button";
import { CopyBox } from "~/ui/copy-button";
import { Card, PageLayout, Section } from "~/ui/layout";
import { Segments } from "~/ui/tabs";
import { Time } from "~/ui/time";
import { ASSISTANTS, type Assistant } from "./assistants";
import { ExtensionCard } from "./extension-card";
import { PhoneCard } from "./phone-card";
import { SNIPPETS, type SnippetName } from "./snippets";

export default function Connect() {
  useTitle(t("Connect"));
  const [params, change] = useUrlState();
  const language = (params.get("code") as SnippetName) || "curl";
  return (
    <PageLayout
      title={t("Connect")}
      description={
        <>
          {t("Let your assistants save and find things here.")}{" "}
          <Link to="/settings#keys" className="text-accent underline underline-offset-2">
            {t("Manage keys")}
          </Link>
        </>
      }
    >
      <div className="space-y-10">
        <ul className="grid gap-3 lg:grid-cols-2">
          {ASSISTANTS.map((assistant) => (
            <li key={assistant.name} className="min-w-0">
              <AssistantCard assistant={assistant} address={SERVER} />
            </li>
          ))}
          <li className="min-w-0">
            <ExtensionCard address={SERVER} />
          </li>
          <li className="min-w-0">
            <PhoneCard address={SERVER} />
          </li>
        </ul>
        <Section
          title={t("From your own code")}
          description={t("Scripts can do everything that the web app does.")}
          actions={
            <Segments<SnippetName>
              label={t("Language")}
              value={language}
              options={[
                { value: "curl", label: "curl" },
                { value: "python", label: "Python" },
                { value: "typescript", label: "TypeScript" },
              ]}
              onChange={(code) => change({ code })}
            />
          }
        >
          <CopyBox text={(SNIPPETS[language] ?? SNIPPETS.curl)(SERVER)} />
        </Section>
      </div>
    </PageLayout>
  );
}

function AssistantCard({ assistant, address }: { assistant: Assistant; address: string }) {
  const link = assistant.link?.(address);
  return (
    <Card className="flex h-full flex-col gap-3 p-4">
      <div className="flex items-center gap-3">
        <h2 className="font-medium">{assistant.name}</h2>
        <LastUsed assistant={assistant} />
      </div>
      <p className="text-sm text-muted">{assistant.how}</p>
      <div className="space-y-2">
        <CopyBox text={assistant.text(address)} />
        {link && (
          <a href={link} className={buttonClass("secondary", "sm")}>
            <ExternalLink size={14} /> {t("Add to {name}", { name: assistant.name })}
          </a>
        )}
      </div>
    </Card>
  );
}

/** When a key or an app of this assistant was last used. */
function LastUsed({ assistant }: { assistant: Assistant }) {
  const { data: keys = [] } = useQuery(keysQuery);
  const { data: grants = [] } = useQuery(grantsQuery);
  const used = [
    ...keys.map(({ name, last_used_at }) => ({ name, at: last_used_at })),
    ...grants.map(({ client_name, last_used_at }) => ({ name: client_name, at: last_used_at })),
  ]
    .filter(({ name, at }) => at && assistant.known.test(name))
    .map(({ at }) => at as string)
    .sort();
  const last = used.at(-1);
  if (!last) return null;
  return (
    <span className="flex items-center gap-1.5 text-xs text-muted">
      <span aria-hidden className="size-2 rounded-full bg-positive" />
      {rich("last used {time}", { time: <Time at={last} /> })}
    </span>
  );
}
