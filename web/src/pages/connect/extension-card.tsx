import { Download } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { useCreateKey } from "~/features/keys/keys";
import { Button, buttonClass } from "~/ui/button";
import { CopyBox } from "~/ui/copy-button";
import { Card } from "~/ui/layout";

/** The browser extension: where it is, and a code that pairs it without a sign-in window. */
export function ExtensionCard({ address }: { address: string }) {
  const [code, setCode] = useState("");
  const create = useCreateKey();
  const pair = async () => {
    const made = await create.mutateAsync({
      name: "remem extension",
      scopes: ["read", "write"],
    });
    setCode(`${address}#${made.key}`);
  };
  return (
    <Card className="flex h-full flex-col gap-3 p-4">
      <h2 className="font-medium">Browser extension</h2>
      <p className="text-sm text-muted">
        Saves the page you read, and puts what you know into any chat. Install it, enter this
        server’s address and press Connect; or paste a pairing code there.
      </p>
      {code && (
        <>
          <CopyBox text={code} />
          <p className="text-xs text-muted">
            It contains a key and is shown once. Remove it under Settings.
          </p>
        </>
      )}
      <div className="flex flex-wrap gap-2">
        <Link to="/extension" className={buttonClass("secondary", "sm")}>
          <Download size={14} /> Install the extension
        </Link>
        <Button size="sm" busy={create.isPending} onClick={pair}>
          Make a pairing code
        </Button>
      </div>
    </Card>
  );
}
