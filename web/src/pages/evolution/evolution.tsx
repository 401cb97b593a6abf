import { useTitle } from "~/lib/use-title";
import { PageLayout } from "~/ui/layout";
import { Actions } from "./actions";

export default function Changes() {
  useTitle("Changes");
  return (
    <PageLayout title="Changes" description="What remem tidied up by itself. Undo what is wrong.">
      <Actions />
    </PageLayout>
  );
}
