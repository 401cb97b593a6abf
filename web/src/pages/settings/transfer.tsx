import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, Upload } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { toast } from "sonner";
import { jobQuery } from "~/features/jobs/jobs";
import { ProjectSelect } from "~/features/projects/project-select";
import { answerOf, api, messageOf } from "~/lib/api";
import { bytes, plural } from "~/lib/format";
import { Button, buttonClass } from "~/ui/button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Field } from "~/ui/input";
import { Card, Section } from "~/ui/layout";
import { Bar } from "~/ui/sparkline";

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
          <a href="/v3/export" download className={buttonClass()}>
            <Download size={14} /> Export everything
          </a>
          <a href="/v3/export?originals=true" download className={buttonClass()}>
            <Download size={14} /> With original files
          </a>
        </Card>
      </Section>
      <Section
        id="import"
        title="Import"
        description="A file that remem exported, or what another product gave you. The format is detected."
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

type DialogProps = { file: File; onStarted: (job: string) => void; onClose: () => void };

/** What would be imported, before anything is. */
function ImportDialog({ file, onStarted, onClose }: DialogProps) {
  const [project, setProject] = useState("");
  const [busy, setBusy] = useState(false);
  async function start() {
    setBusy(true);
    try {
      const started = await answerOf(
        api.POST("/v3/import", {
          params: { query: project ? { project } : {} },
          body: file as never,
          bodySerializer: (body) => body as never,
          headers: { "Content-Type": "application/octet-stream" },
        }),
      );
      onStarted(started.job_id);
    } catch (error) {
      toast.error(messageOf(error));
      setBusy(false);
    }
  }
  return (
    <Dialog open title={`Import ${file.name}?`} description={bytes(file.size)} onClose={onClose}>
      <Field label="Into the project" hint="Only for files of other products.">
        {(id) => (
          <ProjectSelect
            id={id}
            label="Into the project"
            none="As in the file"
            value={project}
            onChange={setProject}
            className="w-full"
          />
        )}
      </Field>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" busy={busy} onClick={start}>
          {busy ? "Sending…" : "Import"}
        </Button>
      </DialogActions>
    </Dialog>
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
      <p role="alert" className="text-sm text-danger">
        The import failed: {data.error}
      </p>
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
