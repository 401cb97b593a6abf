import { BookOpen, Download, Ellipsis, History, Pencil } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useDeleteDocuments } from "~/features/documents/delete";
import { type Document, originalUrl, useChangeDocument } from "~/features/documents/documents";
import { exportDocuments } from "~/features/documents/export";
import { isChoice, useSetMine } from "~/features/documents/mine";
import { ProjectField } from "~/features/projects/project-select";
import { useProject } from "~/features/projects/projects";
import { messageOf } from "~/lib/api";
import { dayOf, startOfDay } from "~/lib/format";
import { useKeys } from "~/lib/keyboard";
import { t } from "~/lib/language";
import { useUrlState } from "~/lib/url-state";
import { Button, buttonClass } from "~/ui/button";
import { copyText } from "~/ui/copy-button";
import { Dialog, DialogActions } from "~/ui/dialog";
import { Field, Input } from "~/ui/input";
import { Menu, MenuItem, MenuLine } from "~/ui/menu";

export function Actions({ document }: { document: Document }) {
  const [, change] = useUrlState();
  const navigate = useNavigate();
  const remove = useDeleteDocuments();
  const [details, setDetails] = useState(false);
  const setMine = useSetMine();
  const deleteIt = () => {
    remove([document.id]);
    navigate("/library");
  };
  const edit = () => change({ edit: "1", versions: null }, { replace: false });
  useKeys({ e: edit, "#": deleteIt });
  return (
    <div className="flex items-center gap-1">
      <Link to={`/memory/${document.id}/read`} className={buttonClass("quiet", "sm")}>
        <BookOpen size={14} /> {t("Read")}
      </Link>
      <Button variant="quiet" size="sm" onClick={edit}>
        <Pencil size={14} /> {t("Edit")}
      </Button>
      {(document.versions?.length ?? 0) > 1 && (
        <Button
          variant="quiet"
          size="sm"
          onClick={() => change({ versions: "1", edit: null }, { replace: false })}
        >
          <History size={14} /> {t("Versions")}
        </Button>
      )}
      <Menu
        trigger={
          <Button variant="quiet" size="sm" aria-label={t("More actions")}>
            <Ellipsis size={16} />
          </Button>
        }
      >
        <MenuItem onSelect={() => setDetails(true)}>{t("Title, project, forget date…")}</MenuItem>
        {isChoice(document) && (
          <MenuItem checked={document.mine} onSelect={() => setMine(document, !document.mine)}>
            {t("This is mine")}
          </MenuItem>
        )}
        <MenuItem onSelect={() => exportDocuments([document])}>
          <span className="flex items-center gap-2">
            <Download size={14} /> {t("Download as markdown")}
          </span>
        </MenuItem>
        {document.has_original && (
          <MenuItem onSelect={() => window.location.assign(originalUrl(document.id))}>
            <span className="flex items-center gap-2">
              <Download size={14} /> {t("Download the original")}
            </span>
          </MenuItem>
        )}
        <MenuItem onSelect={() => copyText(document.id)}>{t("Copy id")}</MenuItem>
        <MenuLine />
        <MenuItem danger hint="#" onSelect={deleteIt}>
          {t("Delete document")}
        </MenuItem>
      </Menu>
      <Details document={document} open={details} onClose={() => setDetails(false)} />
    </div>
  );
}

type DetailsProps = { document: Document; open: boolean; onClose: () => void };

function Details({ document, open, onClose }: DetailsProps) {
  const current = useProject(document.project_id);
  const [title, setTitle] = useState(document.title);
  const [project, setProject] = useState("");
  const [day, setDay] = useState(document.forget_after ? dayOf(document.forget_after) : "");
  const change = useChangeDocument(document.id);
  return (
    <Dialog open={open} title={t("About this document")} onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault();
          const moved = project && project !== current?.slug ? { project } : {};
          change.mutate(
            { title, forget_after: day ? startOfDay(day) : null, ...moved },
            { onSuccess: onClose },
          );
        }}
      >
        <Field label={t("Title")} error={change.error ? messageOf(change.error) : null}>
          {(id) => (
            <Input id={id} value={title} dir="auto" onChange={(e) => setTitle(e.target.value)} />
          )}
        </Field>
        <ProjectField
          label={t("Project")}
          value={project || (current?.slug ?? "")}
          onChange={setProject}
        />
        <Field
          label={t("Forget on")}
          hint={t("The document is deleted on this day. Leave empty to keep it.")}
        >
          {(id) => (
            <Input id={id} type="date" value={day} onChange={(e) => setDay(e.target.value)} />
          )}
        </Field>
        <DialogActions>
          <Button onClick={onClose}>{t("Cancel")}</Button>
          <Button type="submit" variant="primary" busy={change.isPending}>
            {t("Save")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
