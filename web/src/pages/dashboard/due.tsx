import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { dueQuery, useMarkDone } from "~/features/memories/memories";
import { MemoryLine } from "~/features/memories/memory-line";
import { Button } from "~/ui/button";
import { Row, Rows, Section } from "~/ui/layout";

const SHOWN = 5;

export function Due() {
  const { data = [] } = useQuery(dueQuery({ limit: SHOWN }));
  const done = useMarkDone();
  if (!data.length) return null;
  return (
    <Section title="Due soon">
      <Rows>
        {data.map((memory) => (
          <Row key={memory.id}>
            <MemoryLine
              memory={memory}
              actions={
                <Button
                  variant="quiet"
                  size="icon"
                  aria-label={`Done: ${memory.content}`}
                  title="Done"
                  onClick={() => done.mutate(memory)}
                >
                  <Check size={16} />
                </Button>
              }
            />
          </Row>
        ))}
      </Rows>
    </Section>
  );
}
