import { useDeferredValue, useMemo, useState } from 'react';
import { isNetworkError } from '#web/api/apiError.ts';
import { useDatasetRuns, useDatasetTable } from './useDatasetStatistics.ts';
import { Disclosure } from '#web/components/Disclosure.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { formatCount } from '#web/lib/formatNumber.ts';
import { datasetGroups } from './datasetGroups.ts';
import { DatasetTable } from './DatasetTable.tsx';

/** Every dataset that is known or was used: what was counted beside what papers print, the most used first. */
export function DatasetsPage() {
  useTitle('Datasets');
  const { data, error, refetch } = useDatasetTable();
  const runCounts = useDatasetRuns();
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text);
  const groups = useMemo(() => datasetGroups(data ?? [], { runCounts, wanted }), [data, runCounts, wanted]);
  return (
    <div className="page">
      <div className="page-head">
        <h1>Datasets</h1>
        {data !== undefined && <span className="muted">{formatCount(data.length)}</span>}
        {data !== undefined && (
          <input
            className="input spread"
            type="search"
            aria-label="Find datasets"
            placeholder="Find datasets"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </div>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The datasets cannot be shown." error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading what="datasets" look="rows" lines={10} />}
      {data !== undefined && groups.length === 0 && <p className="muted">No dataset is called so.</p>}
      {groups.map(({ title, datasets, isOpen }) => (
        <Disclosure
          key={`${title} ${isOpen}`}
          title={title}
          note={datasets.length === 1 ? '1 dataset' : `${datasets.length} datasets`}
          open={isOpen}
        >
          <DatasetTable label={title} datasets={datasets} runCounts={runCounts} />
        </Disclosure>
      ))}
    </div>
  );
}
