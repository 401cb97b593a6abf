import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, Upload } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { jobQuery } from "~/features/jobs/jobs";
import { BASE_PATH } from "~/lib/base";
import { plural, withoutStop } from "~/lib/format";
import { Button, buttonClass } from "~/ui/button";
import { Card, Section } from "~/ui/layout";
import { Bar } from "~/ui/sparkline";
import { ErrorText } from "~/ui/states";
import { ImportDialog } from "./import-dialog";

export function Transfer() {
  const picker = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const [job, setJob] = useState<string>();
  return (
    <>
      <Section
        id="export"
        title="Export"
        description="Everything you have, in one file that can be imported again."
      >
        <Card className="flex flex-wrap gap-2 p-4">
          <a href={`${BASE_PATH}/v3/export`} download className={buttonClass()}>
            <Download size={14} /> Export everything
          </a>
          <a href={`${BASE_PATH}/v3/export?originals=true`} download className={buttonClass()}>
            <Download size={14} /> With original files
          </a>
        </Card>
      </Section>
      <Section
        id="import"
        title="Import"
        description="A snapshot file of remem, or the export of another product, such as the ZIP file of Slack or ChatGPT. The format is detected automatically."
      >
        <Card className="space-y-3 p-4">
          <input
            ref={picker}
            type="file"
            hidden
            aria-label="File to import"
            onChange={(event) => {
              setFile(event.target.files?.[0]);
              event.target.value = "";
            }}
          />
          <Button onClick={() => picker.current?.click()}>
            <Upload size={14} /> Choose a file
          </Button>
          {job && <Progress id={job} />}
        </Card>
      </Section>
      {file && (
        <ImportDialog
          file={file}
          onStarted={(id) => {
            setJob(id);
            setFile(undefined);
          }}
          onClose={() => setFile(undefined)}
        />
      )}
    </>
  );
}

function Progress({ id }: { id: string }) {
  const { data } = useQuery(jobQuery(id));
  const queries = useQueryClient();
  const done = data?.status === "completed";
  useEffect(() => {
    if (done) queries.invalidateQueries();
  }, [done, queries]);
  if (!data) return null;
  if (data.status === "failed") {
    return (
      <ErrorText>
        The import failed: {withoutStop(data.error ?? "the reason is unknown")}.
      </ErrorText>
    );
  }
  if (done) {
    return (
      <p role="status" className="text-sm text-positive">
        {plural(data.done ?? data.total ?? 0, "item")} imported
        {data.problems?.length ? `, ${data.problems.length} left out` : ""}
      </p>
    );
  }
  return <Bar value={data.progress} label="Import" />;
}
