import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { BASE_PATH, SERVER } from "~/lib/base";
import { useTitle } from "~/lib/use-title";
import { buttonClass } from "~/ui/button";
import { CopyBox } from "~/ui/copy-button";
import { Card, PageLayout } from "~/ui/layout";

type File = { browser: string; name: string; bytes: number };
type Files = { version: string; files: File[] };

/** The built files; public, and not part of the API. */
const filesQuery = {
  queryKey: ["extension-files"],
  queryFn: async (): Promise<Files> => (await fetch(`${BASE_PATH}/extension/files.json`)).json(),
};

export default function Extension() {
  useTitle("Browser extension");
  const { data } = useQuery(filesQuery);
  return (
    <PageLayout
      title="Browser extension"
      description="Save the page you are reading, and use what you saved in any chat. It connects only to this server."
      width="reading"
    >
      {data && !data.files.length ? <NotBuilt /> : <Steps files={data?.files ?? []} />}
    </PageLayout>
  );
}

function NotBuilt() {
  return (
    <Card className="space-y-3 p-4">
      <p>
        This installation has no extension files, because it was built without Node.js. Build them
        with:
      </p>
      <CopyBox text="make extension" />
    </Card>
  );
}

function Steps({ files }: { files: File[] }) {
  const fileFor = (browser: string) => files.find((file) => file.browser === browser);
  return (
    <div className="space-y-4">
      <Browser name="Chrome, Edge, Brave" file={fileFor("chrome")}>
        <li>Download the file and unpack it into a folder that you keep.</li>
        <li>
          Open <code>chrome://extensions</code> and switch on “Developer mode”.
        </li>
        <li>Press “Load unpacked” and choose the folder.</li>
      </Browser>
      <Browser name="Firefox 140 or newer" file={fileFor("firefox")}>
        <li>Download the file. Do not unpack it.</li>
        <li>
          Open <code>about:debugging#/runtime/this-firefox</code>.
        </li>
        <li>
          Press “Load Temporary Add-on…” and choose the file. It is not signed, so Firefox removes
          it when it closes.
        </li>
      </Browser>
      <Browser name="Safari" file={fileFor("safari")}>
        <li>Not tested. You need a Mac with Xcode.</li>
        <li>
          Unpack it and run <code>xcrun safari-web-extension-converter</code> on the folder.
        </li>
      </Browser>
      <Card className="space-y-3 p-4">
        <h2 className="font-medium">Connect it</h2>
        <p className="text-sm text-muted">
          A page opens after the installation. Enter this address and press Connect, or create a
          pairing code on the page{" "}
          <Link to="/connect" className="text-accent underline underline-offset-2">
            Connect
          </Link>
          .
        </p>
        <CopyBox text={SERVER} />
      </Card>
    </div>
  );
}

type BrowserProps = { name: string; file: File | undefined; children: ReactNode };

function Browser({ name, file, children }: BrowserProps) {
  return (
    <Card className="space-y-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-medium">{name}</h2>
        {file && (
          <a
            href={`${BASE_PATH}/extension/${file.name}`}
            download
            className={buttonClass("secondary", "sm")}
          >
            <Download size={14} /> Download ({Math.round(file.bytes / 1024)} kB)
          </a>
        )}
      </div>
      <ol className="list-decimal space-y-1 ps-5 text-sm text-muted">{children}</ol>
    </Card>
  );
}
