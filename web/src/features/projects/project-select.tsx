import { Field, Select } from "~/ui/input";
import { treeOf, useProjects } from "./projects";

type Props = {
  value: string;
  onChange: (slug: string) => void;
  label: string;
  /** The label of the empty option; without it, a project must be chosen. */
  none?: string;
  className?: string;
  id?: string;
};

export function ProjectSelect({ value, onChange, label, none, className, id }: Props) {
  const { data = [] } = useProjects();
  // There is nothing to choose.
  if (none && data.length < 2 && !value) return null;
  return (
    <Select
      id={id}
      aria-label={label}
      value={value}
      className={className}
      onChange={(event) => onChange(event.target.value)}
    >
      {none && <option value="">{none}</option>}
      {treeOf(data).map(({ project, depth }) => (
        <option key={project.id} value={project.slug}>
          {"\u2003".repeat(depth) + project.name}
        </option>
      ))}
    </Select>
  );
}

/** A labelled project select for forms. */
export function ProjectField({ label, ...select }: Omit<Props, "className" | "id">) {
  return (
    <Field label={label}>
      {(id) => <ProjectSelect id={id} label={label} className="w-full" {...select} />}
    </Field>
  );
}
