import { Download, Smartphone } from "lucide-react";
import { saveFile } from "~/features/documents/export";
import { useCreateKey } from "~/features/keys/keys";
import { rich, t } from "~/lib/language";
import { Button } from "~/ui/button";
import { Card } from "~/ui/layout";
import { shortcutOf } from "./shortcut";

const NAME = "iOS shortcut";
const SIGN = (
  <code className="rounded-sm bg-raised px-1 font-mono text-xs">
    shortcuts sign --mode anyone -i remem.shortcut -o signed.shortcut
  </code>
);

/** The app on a phone, and a shortcut for the share sheet of iOS. */
export function PhoneCard({ address }: { address: string }) {
  const create = useCreateKey();
  const download = async () => {
    const { key } = await create.mutateAsync({ name: NAME, scopes: ["write"] });
    saveFile(shortcutOf(address, key), "remem.shortcut", "application/x-plist");
  };
  return (
    <Card className="flex h-full flex-col gap-3 p-4">
      <h2 className="flex items-center gap-2 font-medium">
        <Smartphone size={16} strokeWidth={1.75} className="text-muted" /> {t("Your phone")}
      </h2>
      <p className="text-sm text-muted">
        <b className="font-medium text-ink">Android</b>{" "}
        {t(
          "Open this page in Chrome, choose “Add to home screen”, then “Install”. remem is then offered wherever you share something, and works without a connection.",
        )}
      </p>
      <p className="text-sm text-muted">
        <b className="font-medium text-ink">iPhone, iPad</b>{" "}
        {rich(
          "In Safari, choose Share, then “Add to Home Screen”. To save from the share sheet, download the shortcut below. iOS opens only signed shortcuts: sign the file on a Mac with {command} and send it to your phone. The file contains a key that may only save; you can revoke “{name}” under Settings. We have not been able to try it on a device.",
          { command: SIGN, name: NAME },
        )}
      </p>
      <div className="mt-auto">
        <Button size="sm" busy={create.isPending} onClick={download}>
          <Download size={14} /> {t("Download the iOS shortcut")}
        </Button>
      </div>
    </Card>
  );
}
