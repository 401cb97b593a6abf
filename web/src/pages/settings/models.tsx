import { useMutation, useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import { modelsQuery, testModels } from "~/features/account/account";
import { messageOf, type Schemas } from "~/lib/api";
import { number } from "~/lib/format";
import { t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Row, Rows, Section } from "~/ui/layout";
import { Loaded, SkeletonList } from "~/ui/states";

type Use = Schemas["ModelOut"]["use"];

const USES: Record<Use, { name: string; text: string }> = {
  embedding: { name: t("Embedding##model"), text: t("Finds texts with a similar meaning.") },
  reader: {
    name: t("Reader##model"),
    text: t("Reranks the first results and detects changed statements."),
  },
  language: {
    name: t("Language model"),
    text: t("Optional. Rewords, merges and derives memories."),
  },
};

export function Models() {
  const models = useQuery(modelsQuery);
  const test = useMutation({
    mutationFn: testModels,
    onError: (error) => toast.error(messageOf(error)),
  });
  return (
    <Section
      id="models"
      title={t("Models")}
      description={t("The models that remem uses. They are configured on the server.")}
      actions={
        <Button size="sm" busy={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? t("Testing…") : t("Test models")}
        </Button>
      }
    >
      <Loaded query={models} skeleton={<SkeletonList rows={3} height="h-12" />}>
        {(all) => (
          <Rows>
            {all.map((model) => (
              <Row key={model.use}>
                <div className="min-w-0 flex-1">
                  <div className="font-medium">{USES[model.use].name}</div>
                  <div className="text-sm text-muted">{USES[model.use].text}</div>
                </div>
                <div className="text-sm text-muted" aria-live="polite">
                  {model.model ? <code className="font-mono">{model.model}</code> : t("Not set")}
                  {model.model && `, ${model.local ? t("on this server") : t("at a provider")}`}
                  <Result tested={test.data?.find(({ use }) => use === model.use)} />
                </div>
              </Row>
            ))}
          </Rows>
        )}
      </Loaded>
    </Section>
  );
}

function Result({ tested }: { tested: Schemas["ModelTest"] | undefined }) {
  if (!tested?.model) return null;
  if (!tested.works) return <p className="text-danger">{tested.error}</p>;
  const { latency_ms: took } = tested;
  return (
    <p className="text-positive">
      {took === null
        ? t("Works")
        : t("Works in {milliseconds} ms", { milliseconds: number(Math.round(took)) })}
    </p>
  );
}
