import { Link } from '@tanstack/react-router';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Segments } from '#web/components/Segments.tsx';
import { writeList } from '#web/lib/listInUrl.ts';
import { ShareButton } from '../share/ShareButton.tsx';
import { shownMetrics } from './GroupedView.tsx';
import { type LayoutName, readLayoutName } from './tableLook.ts';
import type { TableLookState } from './useTableLook.ts';
import { ViewsMenu } from './ViewsMenu.tsx';

const VIEWS = [
  { value: 'runs', label: 'Runs' },
  { value: 'trash', label: 'Trash' },
] as const;

const LAYOUTS: readonly { value: LayoutName; label: string }[] = [
  { value: 'table', label: 'Table' },
  { value: 'split', label: 'Split' },
  { value: 'curves', label: 'Curves' },
];

export interface RunsSwitchesProps {
  table: TableLookState;
  columns: readonly string[];
  groupBy: readonly string[];
  /** All metrics of the project. */
  metrics: readonly string[];
}

/** What the page of runs shows, and what can be made of it: runs or trash, table or curves, views, reports, links. */
export function RunsSwitches({ table, columns, groupBy, metrics }: RunsSwitchesProps) {
  const { search, change, project } = table;
  const inTrash = search.view === 'trash';
  const mayWrite = useMayWrite();
  return (
    <>
      {(mayWrite || inTrash) && (
        <Segments
          label="Which runs"
          options={VIEWS}
          value={inTrash ? 'trash' : 'runs'}
          onChange={(next) => change({ view: next === 'runs' ? undefined : next })}
        />
      )}
      <Segments
        label="Table and curves"
        options={LAYOUTS}
        value={readLayoutName(search.layout)}
        onChange={(next) => change({ layout: next === 'table' ? undefined : next })}
      />
      <ViewsMenu table={table} columns={columns} />
      {project !== null && mayWrite && !inTrash && (
        <Link
          className="button button-quiet"
          to="/reports/new"
          search={{
            ...{ project, filter: search.filter, group: writeList(groupBy) },
            metrics: writeList(shownMetrics(columns, metrics)),
          }}
        >
          Report
        </Link>
      )}
      {project !== null && <ShareButton project={project} filter={search.filter ?? ''} />}
    </>
  );
}
