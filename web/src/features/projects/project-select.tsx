import { Field, Select } from "~/ui/input";
import { treeOf, useProjects } from "./projects";

type Props = {
  value: string;
  onChange: (slug: string) => void;
  label: string;
  /** The words for no choice; without them a project has to be chosen. */
  none?: string;
  className?: string;
  id?: string;
};

export function ProjectSelect({ value, onChange, label, none, className, id }: Props) {
  const { data = [] } = useProjects();
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

/** The same in a form, under its label. */
export function ProjectField({ label, ...select }: Omit<Props, "className" | "id">) {
  return (
    <Field label={label}>
      {(id) => <ProjectSelect id={id} label={label} className="w-full" {...select} />}
    </Field>
  );
}
