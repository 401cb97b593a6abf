import { Download } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { useCreateKey } from "~/features/keys/keys";
import { t } from "~/lib/language";
import { Button, buttonClass } from "~/ui/button";
import { CopyBox } from "~/ui/copy-button";
import { Card } from "~/ui/layout";

/** The browser extension: a link to it, and a code to pair it without the sign-in window. */
export function ExtensionCard({ address }: { address: string }) {
  const [code, setCode] = useState("");
  const create = useCreateKey();
  const pair = async () => {
    const { key } = await create.mutateAsync({
      name: "remem extension",
      scopes: ["read", "write"],
    });
    setCode(`${address}#${key}`);
  };
  return (
    <Card className="flex h-full flex-col gap-3 p-4">
      <h2 className="font-medium">{t("Browser extension")}</h2>
      <p className="text-sm text-muted">
        {t(
          "Saves the page you are reading, and inserts what you saved into any chat. Install it, enter this server’s address and press Connect, or paste a pairing code.",
        )}
      </p>
      {code && (
        <>
          <CopyBox text={code} />
          <p className="text-xs text-muted">
            {t("It contains a key and is shown once. You can revoke the key under Settings.")}
          </p>
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <Link to="/extension" className={buttonClass("secondary", "sm")}>
          <Download size={14} /> {t("Install the extension")}
        </Link>
        <Button size="sm" busy={create.isPending} onClick={pair}>
          {t("Create a pairing code")}
        </Button>
      </div>
    </Card>
  );
}
