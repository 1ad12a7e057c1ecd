import { useMemo } from 'react';
import { compareHeadlines } from '#src/base/lib/headlineMetrics.ts';
import { valueChoice } from '#src/base/lib/valueRules.ts';
import { guidesAmong, ValuesChoice } from '../shared/ValuesChoice.tsx';
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
      ...valueChoice(value ?? 'last'),
    }));
    const by =
      sorted === -1 ? null : ({ by: 'mean', metric: sorted, direction: direction === 'asc' ? 'ASC' : 'DESC' } as const);
    return { project, filter, inTrash, groupBy, metrics, orderBy: by, baseline: baseline ?? null };
  }, [project, filter, inTrash, groupBy, names, value, order, direction, baseline]);
  const guides = guidesAmong(known ?? []);
  if (known === undefined) return null;
  return (
    <GroupedRuns
      input={input}
      search={search}
      values={(hasRules) => (
        <ValuesChoice {...{ value, guides, hasRules }} onChange={(next) => onChange({ value: next })} />
      )}
      onChange={onChange}
      onSort={(metric, next) =>
        onChange({ order: metricColumn(names[metric]!), direction: next === 'ASC' ? 'asc' : undefined })
      }
      onBaseline={(group) => onChange({ baseline: group ?? undefined })}
    />
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
