import type { DatasetVersion } from './useDatasetStatistics.ts';
import { BarChart } from '#web/charts/BarChart.tsx';
import { LogLogChart } from '#web/charts/LogLogChart.tsx';
import { Facts } from '#web/components/Facts.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { type DatasetStatistics, readDatasetStatistics } from '#web/lib/datasetStatistics.ts';
import { formatCount, formatNumber } from '#web/lib/formatNumber.ts';

const percent = (share: number | undefined) => (share === undefined ? '–' : `${(100 * share).toFixed(1)} %`);
const number = (value: number | undefined) => (value === undefined ? '–' : formatNumber(value));

/** One content of a dataset: its distributions and a few of its sequences. */
export function DatasetVersionSection({ version }: { version: DatasetVersion }) {
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
