import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, Upload } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { jobQuery } from "~/features/jobs/jobs";
import { BASE_PATH } from "~/lib/base";
import { plural, withoutStop } from "~/lib/format";
import { t } from "~/lib/language";
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
        title={t("Export")}
        description={t("Everything you have, in one file that can be imported again.")}
      >
        <Card className="flex flex-wrap gap-2 p-4">
          <a href={`${BASE_PATH}/v3/export`} download className={buttonClass()}>
            <Download size={14} /> {t("Export everything")}
          </a>
          <a href={`${BASE_PATH}/v3/export?originals=true`} download className={buttonClass()}>
            <Download size={14} /> {t("With original files")}
          </a>
        </Card>
      </Section>
      <Section
        id="import"
        title={t("Import")}
        description={t(
          "A snapshot file of remem, or the export of another product, such as the ZIP file of Slack or ChatGPT. The format is detected automatically.",
        )}
      >
        <Card className="space-y-3 p-4">
          <input
            ref={picker}
            type="file"
            hidden
            aria-label={t("File to import")}
            onChange={(event) => {
              setFile(event.target.files?.[0]);
              event.target.value = "";
            }}
          />
          <Button onClick={() => picker.current?.click()}>
            <Upload size={14} /> {t("Choose a file")}
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
        {t("The import failed: {reason}.", {
          reason: withoutStop(data.error ?? t("the reason is unknown")),
        })}
      </ErrorText>
    );
  }
  if (done) {
    return (
      <p role="status" className="text-sm text-positive">
        {t("{items} imported", { items: plural(data.done ?? data.total ?? 0, "item") })}
        {data.problems?.length ? `, ${t("{count} left out", { count: data.problems.length })}` : ""}
      </p>
    );
  }
  return <Bar value={data.progress} label={t("Import")} />;
}
