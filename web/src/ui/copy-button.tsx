import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { t } from "~/lib/language";
import { Button } from "./button";

export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}

export function CopyButton({ text, label = t("Copy") }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <Button
      size="sm"
      onClick={async () => {
        await copyText(text);
        setCopied(true);
        setTimeout(() => setCopied(false), 1500);
      }}
    >
      {copied ? <Check size={14} /> : <Copy size={14} />}
      {copied ? t("Copied") : label}
    </Button>
  );
}

/** Text with a button that copies it. */
export function CopyBox({ text, label }: { text: string; label?: string }) {
  return (
    <div className="relative rounded-lg border bg-raised">
      <pre className="p-3 pe-24 font-mono text-sm break-words whitespace-pre-wrap">{text}</pre>
      <div className="absolute end-2 top-2">
        <CopyButton text={text} label={label} />
      </div>
    </div>
  );
}
