import { t } from "~/lib/language";
import { useTitle } from "~/lib/use-title";
import { PageLayout } from "~/ui/layout";
import { Actions } from "./actions";

export default function Changes() {
  useTitle(t("Changes"));
  return (
    <PageLayout
      title={t("Changes")}
      description={t("What remem tidied up by itself. Undo what is wrong.")}
    >
      <Actions />
    </PageLayout>
  );
}
