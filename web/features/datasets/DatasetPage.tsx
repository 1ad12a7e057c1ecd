import { Link, useParams } from '@tanstack/react-router';
import { isNetworkError } from '#web/api/apiError.ts';
import { useDataset, type DatasetVersion } from './useDatasetStatistics.ts';
import { EmptyState } from '#web/components/EmptyState.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Facts } from '#web/components/Facts.tsx';
import { Loading } from '#web/components/Loading.tsx';
import { useTitle } from '#web/components/useTitle.ts';
import { DatasetTable } from './DatasetTable.tsx';
import { BarChart } from '#web/charts/BarChart.tsx';
import { LogLogChart } from '#web/charts/LogLogChart.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { type DatasetStatistics, readDatasetStatistics } from '#web/lib/datasetStatistics.ts';
import { formatCount, formatNumber } from '#web/lib/formatNumber.ts';
import './datasets.css';

const percent = (share: number | undefined) => (share === undefined ? '–' : `${(100 * share).toFixed(1)} %`);
const number = (value: number | undefined) => (value === undefined ? '–' : formatNumber(value));

/** One content of a dataset: its distributions and a few of its sequences. */
function DatasetVersionSection({ version }: { version: DatasetVersion }) {
  const statistics = readDatasetStatistics(version.statistics);
  if (statistics === null) return null;
  const { shortest, median, averageLength, longest } = statistics;
  const bins = statistics.lengthHistogram.map(({ from, to, users }) => ({
    name: from === to ? `${from}` : `${from}–${to}`,
    value: users,
  }));
  const curve = statistics.popularityCurve.map(({ rank, interactions }) => ({ x: rank, y: interactions }));
  return (
    <section className="panel" aria-label={`Version ${version.fingerprint.slice(0, 12)}`}>
      <div className="panel-head">
        <h2>
          Version <code>{version.fingerprint.slice(0, 12)}</code>
        </h2>
        <span className="muted">
          {statistics.preprocessing ?? 'as it is'}, first used <TimeText time={version.createdAt} />
        </span>
      </div>
      <div className="panel-body">
        <Facts
          facts={[
            ['Users', formatCount(statistics.users)],
            ['Items', formatCount(statistics.items)],
            ['Interactions', formatCount(statistics.interactions)],
            ['Density', number(statistics.density)],
            [
              'Length',
              `${number(shortest)} to ${number(longest)}, median ${number(median)}, mean ${number(averageLength)}`,
            ],
            ['Part of the 25 % least active users', percent(statistics.tailUserShare)],
            ['Part of the 25 % least popular items', percent(statistics.tailItemShare)],
          ]}
        />
        <div className="dataset-charts">
          {bins.length > 0 && (
            <figure>
              <figcaption>Lengths of sequences</figcaption>
              <BarChart bars={bins} label="Histogram of the lengths of sequences" xTitle="interactions of a user" />
            </figure>
          )}
          {curve.length > 0 && (
            <figure>
              <figcaption>Popularity of items</figcaption>
              <LogLogChart
                points={curve}
                label="Interactions of items by rank, both axes logarithmic"
                xTitle="rank of the item"
                yTitle="interactions"
              />
            </figure>
          )}
        </div>
        <SampleSequences samples={statistics.samples} />
      </div>
    </section>
  );
}

function SampleSequences({ samples }: { samples: DatasetStatistics['samples'] }) {
  if (samples.length === 0) return null;
  return (
    <>
      <h3>Sample sequences</h3>
      <ul className="dataset-samples">
        {samples.map(({ user, length, items }) => (
          <li key={user}>
            <strong>{user}</strong> <span className="muted">{formatCount(length)} interactions</span>
            <ol>
              {items.map(({ id, title }, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: an item may come twice, and the list never changes
                <li key={place} title={id}>
                  {title ?? <code>{id}</code>}
                </li>
              ))}
              {length > items.length && <li className="muted">…</li>}
            </ol>
          </li>
        ))}
      </ul>
    </>
  );
}

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
