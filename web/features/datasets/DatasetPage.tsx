import { Link, useParams } from '@tanstack/react-router';
import { isNetworkError } from '#web/api/apiError.ts';
import { useDataset } from './useDatasetStatistics.ts';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Facts } from '#web/components/Facts.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { DatasetTable } from './DatasetTable.tsx';
import { DatasetVersionSection } from './DatasetVersionSection.tsx';
import './datasets.css';

/** One dataset: where it comes from, and what runs have counted in it. */
export function DatasetPage() {
  const { _splat: name = '' } = useParams({ strict: false });
  useTitle(name);
  const { data: dataset, error, refetch } = useDataset(name);
  if (error !== null && !isNetworkError(error)) {
    return (
      <div className="page">
        <h1>{name}</h1>
        <ErrorNotice title="The dataset cannot be shown." error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (dataset === undefined) return <Loading what={name} />;
  if (dataset === null) {
    return (
      <div className="page">
        <h1>{name}</h1>
        <EmptyState title={`There is no dataset ${name}`}>
          <p>
            <Link to="/datasets">All datasets</Link>
          </p>
        </EmptyState>
      </div>
    );
  }
  const { home, licence, citation } = dataset;
  const facts = [
    ['Name', dataset.name === dataset.title ? null : <code key="name">{dataset.name}</code>],
    [
      'Home',
      home === null ? null : (
        <a key="home" href={home}>
          {home}
        </a>
      ),
    ],
    ['Licence', licence],
    ['Citation', citation],
    [
      'Runs',
      <Link key="runs" to="/runs" search={{ filter: `dataset = ${JSON.stringify(dataset.name)}` }}>
        in the table of runs
      </Link>,
    ],
  ] as const;
  return (
    <div className="page">
      <div className="page-head">
        <h1>{dataset.title}</h1>
      </div>
      <section className="panel panel-body dataset-about" aria-label="About">
        {dataset.description !== null && <p>{dataset.description}</p>}
        <Facts facts={facts.filter(([, value]) => value !== null)} />
      </section>
      <DatasetTable datasets={[dataset]} named={false} />
      {dataset.versions.map((version) => (
        <DatasetVersionSection key={version.fingerprint} version={version} />
      ))}
    </div>
  );
}
