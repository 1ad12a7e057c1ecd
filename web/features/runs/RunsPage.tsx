import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useCatalog } from '#web/api/useCatalog.ts';
import { useRunColumns } from '#web/api/useProjects.ts';
import { Segments } from '#web/components/Segments.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { readList, writeList } from '#web/lib/listInUrl.ts';
import { ColumnChooser } from './ColumnChooser.tsx';
import { chooseColumns } from './columnChoice.ts';
import { FilterInput } from './FilterInput.tsx';
import { GroupedView } from './GroupedView.tsx';
import { GroupPicker } from './GroupPicker.tsx';
import { ProjectPicker } from './ProjectPicker.tsx';
import { RunList } from './RunList.tsx';
import type { RunsSearch } from './runsSearch.ts';

const VIEWS = [
  { value: 'runs', label: 'Runs' },
  { value: 'trash', label: 'Trash' },
] as const;

/** All runs of a project, or of all: filtered, ordered, live. What is shown stands in the address. */
export function RunsPage() {
  useTitle('Runs');
  const search = useSearch({ from: '/' });
  const navigate = useNavigate({ from: '/' });
  const change = (changed: Partial<RunsSearch>) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });

  const project = search.project ?? null;
  const filter = search.filter ?? '';
  const inTrash = search.view === 'trash';
  const { data: available } = useRunColumns(project);
  const { data: kinds } = useCatalog();
  const columns = useMemo(() => chooseColumns(search.columns, available, kinds), [search.columns, available, kinds]);
  const groupText = search.group ?? (search.view === 'replicates' ? 'configuration' : '');
  const groupBy = useMemo(() => readList(groupText), [groupText]);
  const [filterError, setFilterError] = useState<string | null>(null);

  return (
    <div className="page page-full">
      <div className="page-head">
        <h1>Runs</h1>
        <ProjectPicker project={project} onChange={(name) => change({ project: name ?? undefined })} />
        <Segments
          label="View"
          options={VIEWS}
          value={inTrash ? 'trash' : 'runs'}
          onChange={(next) => change({ view: next === 'runs' ? undefined : next })}
        />
        <Link className="button button-primary spread" to="/new" search={project === null ? {} : { project }}>
          New run
        </Link>
      </div>
      <div className="page-head runs-tools">
        <FilterInput
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
          onReset={() => change({ columns: undefined })}
        />
      </div>
      {groupBy.length > 0 ? (
        <GroupedView {...{ project, filter, inTrash, groupBy, columns, search, available }} onChange={change} />
      ) : (
        <RunList {...{ project, filter, inTrash, columns, search }} onChange={change} onFilterError={setFilterError} />
      )}
    </div>
  );
}
