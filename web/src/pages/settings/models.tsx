import { useQuery } from "@tanstack/react-query";
import { modelsQuery } from "~/features/account/account";
import { Row, Rows, Section } from "~/ui/layout";
import { Loaded, SkeletonList } from "~/ui/states";

export function Models() {
  const models = useQuery(modelsQuery);
  return (
    <Section
      id="models"
      title="Models"
      description="What search runs on. They are set where the server is started."
    >
      <Loaded query={models} skeleton={<SkeletonList rows={2} height="h-12" />}>
        {(all) => (
          <Rows>
            {all.map((model) => (
              <Row key={model.id}>
                <div className="flex-1">
                  <div className="font-medium first-letter:uppercase">{model.id}</div>
                  <div className="text-sm text-muted">{model.description}</div>
                </div>
                {model.model && (
                  <span className="text-sm text-muted">
                    <code className="font-mono">{model.model}</code>
                    {model.dimensions ? `, ${model.dimensions} dimensions` : ""}
                  </span>
                )}
              </Row>
            ))}
          </Rows>
        )}
      </Loaded>
    </Section>
  );
}
