import { useId, useState } from 'react';
import { useRunColumns } from '#web/features/projects/useProjects.ts';
import { useStore } from '#web/api/useStore.ts';
import { Button } from '#web/components/Button.tsx';
import { chooseDensity, density } from '#web/components/density.ts';
import { Popover } from '#web/components/Popover.tsx';
import { Segments } from '#web/components/Segments.tsx';
import { curveColumn, metricColumn, textColumn } from '#web/lib/runColumn.ts';
import { RUN_FIELDS } from './columnChoice.ts';
import { columnTitle } from './columnTitle.ts';
import './columnChooser.css';

export interface ColumnChooserProps {
  project: string | null;
  columns: readonly string[];
  onChange(columns: string[]): void;
  onReset(): void;
}

/** More matches than this are not listed: there may be thousands of metrics. */
const MOST_LISTED = 100;

const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const;

/** Chooses the table's columns: of every run, of the configurations, of the metrics, of the texts. */
export function ColumnChooser(props: ColumnChooserProps) {
  return (
    <Popover label={`Columns (${props.columns.length})`} title="Columns">
      <ColumnPanel {...props} />
    </Popover>
  );
}

function ColumnPanel({ project, columns, onChange, onReset }: ColumnChooserProps) {
  const [wanted, setWanted] = useState('');
  const rowDensity = useStore(density);
  const { data } = useRunColumns(project);
  const groups = [
    { title: 'Run', columns: RUN_FIELDS as readonly string[] },
    { title: 'Metrics', columns: (data?.metrics ?? []).map(metricColumn) },
    { title: 'Texts', columns: (data?.texts ?? []).map(textColumn) },
    { title: 'Curves', columns: (data?.metrics ?? []).map(curveColumn) },
    { title: 'Configuration', columns: (data?.configuration ?? []).map((path) => `config.${path}`) },
  ];
  const toggle = (column: string) =>
    onChange(columns.includes(column) ? columns.filter((one) => one !== column) : [...columns, column]);
  return (
    <div className="popover-body">
      <div className="row">
        <input
          className="input column-search"
          type="search"
          aria-label="Find columns"
          placeholder="Find columns"
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
        <Button look="quiet" onClick={onReset}>
          Reset
        </Button>
      </div>
      <div className="row">
        <span className="muted">Rows</span>
        <Segments label="Height of rows" options={DENSITIES} value={rowDensity} onChange={chooseDensity} />
      </div>
      {groups.map((group) => (
        <ColumnGroup key={group.title} {...group} wanted={wanted} chosen={columns} onToggle={toggle} />
      ))}
    </div>
  );
}

interface ColumnGroupProps {
  title: string;
  columns: readonly string[];
  wanted: string;
  chosen: readonly string[];
  onToggle(column: string): void;
}

function ColumnGroup({ title, columns, wanted, chosen, onToggle }: ColumnGroupProps) {
  const id = useId();
  const words = wanted.toLowerCase().split(/\s+/);
  const matches = columns.filter((column) => words.every((word) => columnTitle(column).toLowerCase().includes(word)));
  if (matches.length === 0) return null;
  return (
    <fieldset className="column-group" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {matches.slice(0, MOST_LISTED).map((column) => (
        <label className="check" key={column}>
          <input type="checkbox" checked={chosen.includes(column)} onChange={() => onToggle(column)} />
          {columnTitle(column)}
        </label>
      ))}
      {matches.length > MOST_LISTED && (
        <p className="muted">and {matches.length - MOST_LISTED} more: type a part of the name</p>
      )}
    </fieldset>
  );
}
