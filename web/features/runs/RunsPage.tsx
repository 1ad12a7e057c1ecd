import { Link } from '@tanstack/react-router';
import { useId, useMemo, useState } from 'react';
import { useCatalog, type ExperimentKind } from '#web/features/shared/useCatalog.ts';
import { useRunColumns } from '#web/features/projects/useProjects.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useNarrow } from '#web/components/useNarrow.ts';
import { useTitle } from '#web/components/useTitle.ts';
import { readList, writeList } from '#web/lib/listInUrl.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import { candidateMetrics, chooseColumns, type FirstRuns, firstOfKinds } from './columnChoice.ts';
import { readLayout } from './columnLayout.ts';
import { FilterInput } from './FilterInput.tsx';
import { GroupedView, shownMetrics } from './GroupedView.tsx';
import { GroupPicker } from './GroupPicker.tsx';
import { ProjectPicker } from './ProjectPicker.tsx';
import { RunList } from './RunList.tsx';
import { Segments } from '#web/components/Segments.tsx';
import { ShareButton } from '../share/ShareButton.tsx';
import { type LayoutName, readLayoutName } from './tableLook.ts';
import { type TableLookState, useTableLook } from './useTableLook.ts';
import { ViewsMenu } from './ViewsMenu.tsx';
import { useFieldValues } from './useFieldValues.ts';
import { useFirstRuns } from './useFirstRuns.ts';
import { ownMetricsOf } from './firstRuns.ts';
import type { RunsSearch } from './runsSearch.ts';

const VIEWS = [
  { value: 'runs', label: 'Runs' },
  { value: 'trash', label: 'Trash' },
] as const;

const LAYOUTS: readonly { value: LayoutName; label: string }[] = [
  { value: 'table', label: 'Table' },
  { value: 'split', label: 'Split' },
  { value: 'curves', label: 'Curves' },
];

interface RunsSwitchesProps {
  table: TableLookState;
  columns: readonly string[];
  groupBy: readonly string[];
  /** All metrics of the project. */
  metrics: readonly string[];
}

/** What the page of runs shows, and what can be made of it: runs or trash, table or curves, views, reports, links. */
function RunsSwitches({ table, columns, groupBy, metrics }: RunsSwitchesProps) {
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

interface ShownColumnsOptions {
  search: RunsSearch;
  project: string | null;
  inTrash: boolean;
  isGrouped: boolean;
  available: ReturnType<typeof useRunColumns>['data'];
  kinds: readonly ExperimentKind[] | undefined;
  /** Metrics that become columns without a word where a run has them. */
  candidates: readonly string[];
}

/** The columns of the table: those of the address or a view, else what suits the runs; `setFirst` tells which these are. */
function useShownColumns(options: ShownColumnsOptions) {
  const { search, project, inTrash, isGrouped, available, kinds, candidates } = options;
  const [first, setFirst] = useState<FirstRuns | null>(null);
  const narrow = useNarrow();
  const isAsked = isGrouped && search.columns === undefined;
  const filter = search.filter ?? '';
  const kindsThere = useFieldValues({ project, filter, inTrash, field: isAsked ? 'kind' : null });
  const firstRuns = useFirstRuns({ project, filter, inTrash, metrics: candidates, enabled: isAsked });
  const columns = useMemo(() => {
    const names = kindsThere?.filter((kind) => typeof kind === 'string');
    const ofGroups =
      names === undefined || available === undefined || kinds === undefined
        ? null
        : firstOfKinds(names, available, { kinds, own: ownMetricsOf(firstRuns ?? []) });
    return chooseColumns(search.columns, available, { kinds, first: isGrouped ? ofGroups : first, narrow });
  }, [search.columns, available, kinds, isGrouped, first, kindsThere, firstRuns, narrow]);
  return { columns, setFirst };
}

const NONE: readonly string[] = [];

/** All runs of a project, or of all: filtered, ordered, live. What is shown stands in the address. */
export function RunsPage() {
  useTitle('Runs');
  const table = useTableLook();
  const { search, look, change, project } = table;
  const filter = search.filter ?? '';
  const inTrash = search.view === 'trash';
  const mayWrite = useMayWrite();
  const { data: available } = useRunColumns(project);
  const { data: kinds } = useCatalog();
  const groupText = search.group ?? (search.view === 'replicates' ? 'configuration' : '');
  const groupBy = useMemo(() => readList(groupText), [groupText]);
  const isGrouped = groupBy.length > 0;
  const candidates = useMemo(
    () => (search.columns === undefined ? candidateMetrics(available, kinds) : []),
    [search.columns, available, kinds],
  );
  const { columns, setFirst } = useShownColumns({ search, project, inTrash, isGrouped, available, kinds, candidates });
  const layout = useMemo(() => readLayout(look, columns), [look, columns]);
  const [filterError, setFilterError] = useState<string | null>(null);
  const narrow = useNarrow();
  const [opened, setOpened] = useState(false);
  // what is wrong with a filter must be seen
  const open = !narrow || opened || filterError !== null;
  const toolsId = useId();
  const switches = <RunsSwitches {...{ table, columns, groupBy }} metrics={available?.metrics ?? NONE} />;

  return (
    <div className="page page-full">
      <div className="page-head">
        <h1>Runs</h1>
        <ProjectPicker project={project} onChange={(name) => change({ project: name ?? undefined })} />
        {narrow && (
          <Button aria-expanded={open} aria-controls={toolsId} onClick={() => setOpened(!open)}>
            Filter and view{(filter !== '' || inTrash || groupBy.length > 0) && ' (set)'}
            <span aria-hidden="true"> {open ? '▴' : '▾'}</span>
          </Button>
        )}
        {!narrow && switches}
        {mayWrite && (
          <Link className="button button-primary spread" to="/new" search={project === null ? {} : { project }}>
            New run
          </Link>
        )}
      </div>
      {open && (
        <div className="page-head runs-tools" id={toolsId}>
          {narrow && switches}
          <FilterInput
            project={project}
            filter={filter}
            error={filterError}
            onApply={(next) => change({ filter: next === '' ? undefined : next })}
          />
          <GroupPicker
            project={project}
            fields={groupBy}
            onChange={(fields) =>
              change({
                group: fields.length === 0 ? undefined : writeList(fields),
                baseline: undefined,
                view: inTrash ? 'trash' : undefined,
              })
            }
          />
          <ColumnChooser
            project={project}
            columns={columns}
            onChange={(next) => change({ columns: writeList(next) })}
            onReset={() => change({ columns: undefined, widths: undefined, pinned: undefined, shaded: undefined })}
          />
        </div>
      )}
      {table.kept !== null && <KeptNotice kept={table.kept} />}
      {table.problem !== null && <ErrorNotice title="The table shows no saved view." error={table.problem} />}
      {table.pending ? (
        <Loading what="views" />
      ) : isGrouped ? (
        <GroupedView {...{ project, filter, inTrash, groupBy, columns, search, available }} onChange={change} />
      ) : (
        <RunList
          {...{ project, filter, inTrash, layout, search, candidates }}
          varying={available?.varying ?? NONE}
          onFirst={setFirst}
          onChange={change}
          onFilterError={setFilterError}
        />
      )}
    </div>
  );
}

/** Says that a link to the page shows others something else. */
function KeptNotice({ kept }: { kept: 'here' | 'elsewhere' }) {
  return (
    <p className="muted" role="status">
      {kept === 'here'
        ? 'These columns and panels are too many for an address: this browser keeps them. A saved view shows them to others, too.'
        : 'The columns and panels of this address were too many for it, and another browser keeps them. A saved view would show them here.'}
    </p>
  );
}
