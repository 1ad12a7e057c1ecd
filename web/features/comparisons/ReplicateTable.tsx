import { useMemo, useState } from 'react';
import type { Comparison } from './useComparison.ts';
import { Button } from '#web/components/Button.tsx';
import { Icon } from '#web/components/Icon.tsx';
import { alignedNumber, columnDecimals } from '#web/lib/alignedNumber.ts';
import { alignedDecimals, meanText } from '#src/base/lib/groupedTable.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';
import { valuesText } from '#src/base/lib/valueRules.ts';
import { formatSeedList } from '#src/base/lib/seedList.ts';
import { comparedGroupLabels } from './comparedLabels.ts';
import { bestOfLikeData, unlikeWords } from '#web/lib/bestOfLikeData.ts';
import { dataOfGroups, starsText } from './comparedData.ts';
import { ConfigurationMark } from '../shared/ConfigurationMark.tsx';

type Group = Comparison['groups'][number];
/** Metrics shown at first, the button brings all. */
const FIRST_ROWS = 12;
const MOST_ROWS = 200;

/** Runs that share a configuration together: mean ± sample standard deviation over their seeds. */
export function ReplicateTable({ comparison }: { comparison: Comparison }) {
  const { groups } = comparison;
  const labels = comparedGroupLabels(comparison);
  const [most, setMost] = useState(FIRST_ROWS);
  const data = useMemo(() => dataOfGroups(comparison), [comparison]);
  const names = comparison.metrics.map((metric) => metric.name).filter((name) => !name.startsWith('system/'));
  const rows = names.slice(0, most).map((name) => {
    const metrics = groups.map((group) => group.metrics.find((one) => one.name === name));
    const direction = metrics.find((metric) => metric !== undefined)?.direction ?? null;
    const means = metrics.map((metric) => (metric === undefined ? null : toNumber(metric.mean)));
    return { name, metrics, means, stars: bestOfLikeData(means, direction, data) };
  });
  const isUnlike = unlikeWords(data) !== null;
  return (
    <section className="panel" aria-labelledby="replicates-title">
      <div className="panel-head">
        <h2 id="replicates-title">Replicates</h2>
        <span className="muted">
          {valuesText(comparison.metrics.flatMap(({ name, rules }) => (name.startsWith('system/') ? [] : rules)))}, mean
          ± standard deviation (n)
        </span>
        {isUnlike && (
          <span className="muted spread">
            <Icon name="star" size={11} />{' '}
            {starsText(
              data,
              rows.some(({ stars }) => stars.size > 0),
              'configurations',
            )}
          </span>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="table-scroll compare-scroll" aria-label="Replicate statistics" tabIndex={0}>
        <table className="table compare-table">
          <thead>
            <tr>
              <th scope="col">Metric</th>
              {groups.map((group, index) => (
                <th scope="col" className="number compare-group" key={group.configuration.hash}>
                  <ConfigurationMark hash={group.configuration.hash} />
                  <span>{labels[index]}</span>
                  <span>
                    {group.seeds.length === 1 ? 'seed' : 'seeds'} {formatSeedList(group.seeds)}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <ReplicateRow key={row.name} {...row} groups={groups} />
            ))}
          </tbody>
        </table>
      </section>
      {names.length > most && most < MOST_ROWS && (
        <div className="panel-body">
          <Button onClick={() => setMost(MOST_ROWS)}>All {names.length} metrics</Button>
        </div>
      )}
    </section>
  );
}

interface ReplicateRowProps {
  name: string;
  groups: readonly Group[];
  metrics: readonly (Group['metrics'][number] | undefined)[];
  means: readonly (number | null)[];
  /** Places of the best. */
  stars: ReadonlySet<number>;
}

function ReplicateRow({ name, groups, metrics, means, stars }: ReplicateRowProps) {
  const decimals = columnDecimals(means.filter((mean) => mean !== null));
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
      </th>
      {metrics.map((metric, index) => (
        <td className={stars.has(index) ? 'number compare-best' : 'number'} key={groups[index]?.configuration.hash}>
          {stars.has(index) && (
            <>
              <Icon name="star" size={11} />
              <span className="visually-hidden">best: </span>
            </>
          )}
          {metric === undefined ? <span className="muted">–</span> : <GroupValue metric={metric} decimals={decimals} />}
        </td>
      ))}
    </tr>
  );
}

interface GroupValueProps {
  metric: Group['metrics'][number];
  /** Of the means of the row; null where all are whole numbers. */
  decimals: number | null;
}

/** As the verdicts above write it. */
function GroupValue({ metric, decimals }: GroupValueProps) {
  const mean = toNumber(metric.mean);
  const deviation = metric.standardDeviation === null ? null : toNumber(metric.standardDeviation);
  return (
    <>
      {deviation === null
        ? alignedNumber(mean, decimals)
        : meanText(mean, deviation, decimals ?? alignedDecimals([mean]))}{' '}
      <span className="muted">({metric.n})</span>
    </>
  );
}
