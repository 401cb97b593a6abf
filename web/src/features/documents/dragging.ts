import { useQueryClient } from "@tanstack/react-query";
import { type DragEvent, useState } from "react";
import { toast } from "sonner";
import type { Project } from "~/features/projects/projects";
import { messageOf } from "~/lib/api";
import { plural } from "~/lib/format";
import { t } from "~/lib/language";
import { changeMany, refreshDocuments } from "./documents";

const TYPE = "application/x-remem-document";

/** The properties of an element by which a document can be dragged, with others that are selected. */
export function dragProps(ids: string[]) {
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dataTransfer.setData(TYPE, JSON.stringify(ids));
      dataTransfer.effectAllowed = "move";
    },
  };
}

/** The properties of an element that moves documents into a project when they are dropped on it. */
export function useProjectDrop(project: Project) {
  const queries = useQueryClient();
  const [isOver, setIsOver] = useState(false);
  const accepts = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes(TYPE);
  async function move(ids: string[]) {
    try {
      const { done, failed } = await changeMany(ids, { action: "move", project: project.slug });
      if (done)
        toast.success(
          t("{documents} moved to {name}", {
            documents: plural(done, "document"),
            name: project.name,
          }),
        );
      if (failed)
        toast.error(
          t("{documents} not moved: it has the same text already", {
            documents: plural(failed, "document"),
          }),
        );
    } catch (error) {
      toast.error(messageOf(error));
    }
    await refreshDocuments(queries);
  }
  const props = {
    onDragOver: (event: DragEvent) => {
      if (!accepts(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "move";
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      setIsOver(false);
      if (!accepts(event)) return;
      event.preventDefault();
      void move(JSON.parse(event.dataTransfer.getData(TYPE)) as string[]);
    },
  };
  return { isOver, props };
}
