import { useState } from 'react';
import { fieldTitle } from '#src/base/lib/groupLabels.ts';
import { useRunColumns } from '#web/features/projects/useProjects.ts';
import { Button } from '#web/components/Button.tsx';
import { Popover } from '#web/components/Popover.tsx';
import './columnChooser.css';

export interface GroupPickerProps {
  project: string | null;
  /** Fields that runs are grouped by; none: they are not. */
  fields: readonly string[];
  onChange(fields: string[]): void;
}

const FIELDS: readonly (readonly [field: string, title: string])[] = [
  ['configuration', 'All but seed'],
  ['kind', 'Kind'],
  ['preset', 'Preset'],
  ['dataset', 'Dataset'],
  ['project', 'Project'],
  ['user', 'User'],
  ['state', 'State'],
  ['tag', 'Tag'],
  ['sweep', 'Sweep'],
  ['seed', 'Seed'],
];
const MOST_FIELDS = 6;
const MOST_LISTED = 100;

/** What a field is called here. */
export function groupFieldTitle(field: string): string {
  return FIELDS.find(([name]) => name === field)?.[1] ?? fieldTitle(field);
}

/** Chooses what runs are grouped by. */
export function GroupPicker({ project, fields, onChange }: GroupPickerProps) {
  const chosen = fields.map(groupFieldTitle).join(', ');
  return (
    <Popover label={fields.length === 0 ? 'Group by' : `Group by: ${chosen}`} title="Group by">
      <GroupPanel {...{ project, fields, onChange }} />
    </Popover>
  );
}

/** What runs differ in first, how the data was prepared last. */
function fieldsInOrder(columns: ReturnType<typeof useRunColumns>['data']): string[] {
  const paths = [...new Set([...(columns?.varying ?? []), ...(columns?.configuration ?? [])])];
  const ofData = (path: string) => path.startsWith('dataset.');
  return [...paths.filter((path) => !ofData(path)), ...paths.filter(ofData)];
}

function GroupPanel({ project, fields, onChange }: GroupPickerProps) {
  const [wanted, setWanted] = useState('');
  const { data } = useRunColumns(project);
  const paths = fieldsInOrder(data).map((path) => [`config.${path}`, fieldTitle(path)] as const);
  const words = wanted.toLowerCase().split(/\s+/);
  const matches = [...FIELDS, ...paths].filter(([, title]) =>
    words.every((word) => title.toLowerCase().includes(word)),
  );
  const toggle = (field: string) =>
    onChange(fields.includes(field) ? fields.filter((one) => one !== field) : [...fields, field]);
  return (
    <div className="popover-body">
      <div className="row">
        <input
          className="input column-search"
          type="search"
          aria-label="Find fields"
          placeholder="Find fields"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
        <Button look="quiet" disabled={fields.length === 0} onClick={() => onChange([])}>
          None
        </Button>
      </div>
      <fieldset className="column-group" aria-label="Fields">
        {matches.slice(0, MOST_LISTED).map(([field, title]) => (
          <label className="check" key={field}>
            <input
              type="checkbox"
              checked={fields.includes(field)}
              disabled={fields.length >= MOST_FIELDS && !fields.includes(field)}
              onChange={() => toggle(field)}
            />
            {title}
          </label>
        ))}
        {matches.length > MOST_LISTED && (
          <p className="muted">and {matches.length - MOST_LISTED} more: type a part of the name</p>
        )}
      </fieldset>
    </div>
  );
}
