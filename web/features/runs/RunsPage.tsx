import { Link } from '@tanstack/react-router';
import { useId, useMemo, useState } from 'react';
import { useCatalog } from '#web/features/shared/useCatalog.ts';
import { useRunColumns } from '#web/features/projects/useProjects.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useNarrow } from '#web/components/useNarrow.ts';
import { useTitle } from '#web/components/useTitle.ts';
import { readList, writeList } from '#web/lib/listInUrl.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import { candidateMetrics } from './columnChoice.ts';
import { readLayout } from './columnLayout.ts';
import { FilterInput } from './FilterInput.tsx';
import { GroupedView } from './GroupedView.tsx';
import { GroupPicker } from './GroupPicker.tsx';
import { ProjectPicker } from './ProjectPicker.tsx';
import { RunList } from './RunList.tsx';
import { RunsSwitches } from './RunsSwitches.tsx';
import { useShownColumns } from './useShownColumns.ts';
import { useTableLook } from './useTableLook.ts';

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
