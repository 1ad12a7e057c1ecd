import { isNetworkError } from '#web/api/apiError.ts';
import { useDatasetTable } from '#web/api/useDatasetStatistics.ts';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { DatasetTable } from './DatasetTable.tsx';

/** Every dataset that is known or was used: what was counted beside what papers print. */
export function DatasetsPage() {
  useTitle('Datasets');
  const { data, error, refetch } = useDatasetTable();
  return (
    <div className="page">
      <div className="page-head">
        <h1>Datasets</h1>
      </div>
      {error !== null && !isNetworkError(error) && (
        <ErrorNotice title="The datasets cannot be shown." error={error} onRetry={() => void refetch()} />
      )}
      {data === undefined && error === null && <Loading what="datasets" look="rows" lines={10} />}
      {data !== undefined && <DatasetTable datasets={data} />}
    </div>
  );
}
