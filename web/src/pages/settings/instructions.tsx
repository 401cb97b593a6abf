import { InstructionList } from "~/features/instructions/instruction-list";
import { t } from "~/lib/language";
import { Section } from "~/ui/layout";

export function Instructions() {
  return (
    <Section
      id="instructions"
      title={t("Standing instructions")}
      description={t(
        "Your assistants get these sentences at the start of every session. Those of one project are in its settings. Only you can change them.",
      )}
    >
      <InstructionList />
    </Section>
  );
}
