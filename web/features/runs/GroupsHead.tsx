import type { RunGroupsInput } from './useRunGroups.ts';
import { Icon } from '#web/components/Icon.tsx';
import { withVerdict } from './withVerdict.ts';

export interface GroupsHeadProps {
  input: RunGroupsInput;
  /** What the groups differ in. */
  heads: readonly string[];
  /** Which of these hold numbers. */
  numeric: readonly boolean[];
  metrics: readonly { name: string; direction: 'lower' | 'higher' | null }[];
  /** By which rules values stand for a metric in its runs; none: the last. */
  rules: ReadonlyMap<string, readonly string[]>;
  /** Whether there is room for one column of heads alone. */
  narrow: boolean;
  onSort(metric: number, direction: 'ASC' | 'DESC'): void;
}

/** Heads of the table of groups: what groups differ in, how many runs they have, metrics to order by, the test. */
export function GroupsHead({ input, heads, numeric, metrics, rules, narrow, onSort }: GroupsHeadProps) {
  const sorted = input.orderBy?.metric ?? 0;
  const tested = metrics[sorted] ?? metrics[0];
  const metricHeads = metrics.map(({ name, direction: better }, metric) => {
    const active = sorted === metric;
    const best = better === 'lower' ? 'ASC' : 'DESC';
    const direction = input.orderBy?.direction ?? best;
    const next = active ? (direction === 'ASC' ? 'DESC' : 'ASC') : best;
    return (
      <th
        scope="col"
        className="number"
        key={name}
        aria-sort={active ? (direction === 'ASC' ? 'ascending' : 'descending') : undefined}
      >
        <button type="button" className="runs-sort" onClick={() => onSort(metric, next)}>
          {name}
          {(rules.get(name) ?? []).map((rule) => (
            <span key={rule} className="muted" title={`The ${rule} of each run, as its program said`}>
              {rule}
            </span>
          ))}
          {active && <Icon name={direction === 'ASC' ? 'ascending' : 'descending'} size={11} />}
        </button>
      </th>
    );
  });
  const verdict = (
    <th scope="col" key="verdict">
      {input.baseline === null ? 'baseline' : narrow ? 'verdict' : `${tested?.name} against the baseline`}
    </th>
  );
  return (
    <thead>
      <tr>
        {(narrow && heads.length > 1 ? ['group'] : heads).map((head, column) => (
          <th
            scope="col"
            key={head}
            className={!narrow && column > 0 && numeric[column] === true ? 'number' : undefined}
          >
            {head}
          </th>
        ))}
        {!narrow && (
          <th scope="col" className="number">
            runs
          </th>
        )}
        {withVerdict(metricHeads, verdict, { tested: sorted, narrow })}
      </tr>
    </thead>
  );
}
