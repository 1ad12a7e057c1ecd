import { isSharedTab } from '#web/api/authToken.ts';
import { useProjects } from '#web/features/projects/useProjects.ts';

export interface ProjectPickerProps {
  project: string | null;
  onChange(project: string | null): void;
}

/** Which project's runs are shown; its name alone where a link shows no other. */
export function ProjectPicker({ project, onChange }: ProjectPickerProps) {
  const { data = [] } = useProjects();
  const known = project === null || data.some((one) => one.name === project);
  if (isSharedTab()) return <span className="muted">{project}</span>;
  return (
    <select
      className="input"
      aria-label="Project"
      value={project ?? ''}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
    >
      <option value="">All projects</option>
      {!known && <option value={project}>{project}</option>}
      {data.map((one) => (
        <option key={one.id} value={one.name}>
          {one.name} ({one.runCount})
        </option>
      ))}
    </select>
  );
}
