import { useMemo } from 'react';
import { compareHeadlines } from '#src/lib/headlineMetrics.ts';
import { metricColumn, metricOfColumn } from '#web/lib/runColumn.ts';
import { GroupedRuns } from './GroupedRuns.tsx';
import type { RunsSearch } from './runsSearch.ts';

export interface GroupedViewProps {
  project: string | null;
  filter: string;
  inTrash: boolean;
  groupBy: string[];
  columns: readonly string[];
  search: RunsSearch;
  available: { metrics: readonly string[] } | undefined;
  onChange(changed: Partial<RunsSearch>): void;
}

/** Metrics shown where no column has one. */
const MOST_BY_DEFAULT = 3;
const MOST_METRICS = 20;

/** The grouped table by what stands in the address. */
export function GroupedView({
  project,
  filter,
  inTrash,
  groupBy,
  columns,
  search,
  available,
  onChange,
}: GroupedViewProps) {
  const { value, order, direction, baseline } = search;
  const known = available?.metrics;
  const names = useMemo(() => shownMetrics(columns, known ?? []), [columns, known]);
  const input = useMemo(() => {
    const sorted = names.findIndex((name) => metricColumn(name) === order);
    const metrics = names.map((name) => ({
      name,
      at: value === 'best' ? ('BEST' as const) : ('LAST' as const),
      bestOf: value === undefined || value === 'best' ? null : value,
    }));
    const by =
      sorted === -1 ? null : ({ by: 'mean', metric: sorted, direction: direction === 'asc' ? 'ASC' : 'DESC' } as const);
    return { project, filter, inTrash, groupBy, metrics, orderBy: by, baseline: baseline ?? null };
  }, [project, filter, inTrash, groupBy, names, value, order, direction, baseline]);
  const guides = (known ?? []).filter((name) => /valid/.test(name)).slice(0, 50);
  if (known === undefined) return null;
  return (
    <GroupedRuns
      input={input}
      search={search}
      values={(hasRules) => <GroupValues {...{ value, guides, hasRules, onChange }} />}
      onChange={onChange}
      valueTitle={value === undefined ? null : value === 'best' ? 'best values' : `values at the best ${value}`}
      onSort={(metric, next) =>
        onChange({ order: metricColumn(names[metric]!), direction: next === 'ASC' ? 'asc' : undefined })
      }
      onBaseline={(group) => onChange({ baseline: group ?? undefined })}
    />
  );
}

interface GroupValuesProps {
  value: string | undefined;
  /** Metrics at whose best values may be shown. */
  guides: readonly string[];
  /** Whether another value than the last stands for a metric. */
  hasRules: boolean;
  onChange(changed: Partial<RunsSearch>): void;
}

/** Chooses which value of each run counts. */
function GroupValues({ value, guides, hasRules, onChange }: GroupValuesProps) {
  return (
    <label className="row groups-values">
      <span className="muted">Values</span>
      <select
        className="input"
        value={value ?? 'last'}
        onChange={(event) => onChange({ value: event.target.value === 'last' ? undefined : event.target.value })}
      >
        <option value="last">{hasRules ? 'by the rule of each metric' : 'last of each run'}</option>
        <option value="best">best of each run</option>
        {[...new Set([...guides, ...(value === undefined || value === 'best' ? [] : [value])])].map((name) => (
          <option key={name} value={name}>
            at the best {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The metrics of groups: those that have columns, else the first of those that there are. */
export function shownMetrics(columns: readonly string[], available: readonly string[]): string[] {
  const chosen = columns.map(metricOfColumn).filter((name) => name !== null);
  if (chosen.length > 0) return chosen.slice(0, MOST_METRICS);
  return available
    .filter((name) => !name.startsWith('system/'))
    .sort(compareHeadlines(null))
    .slice(0, MOST_BY_DEFAULT);
}
