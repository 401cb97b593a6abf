import { InstructionList } from "~/features/instructions/instruction-list";
import { Section } from "~/ui/layout";

export function Instructions() {
  return (
    <Section
      id="instructions"
      title="Standing instructions"
      description="Your assistants get these sentences at the start of every session. Those of one project are in its settings. Only you can change them."
    >
      <InstructionList />
    </Section>
  );
}
