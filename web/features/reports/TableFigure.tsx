import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import {
  groupMetricsOf,
  groupOrderOf,
  runOrderOf,
  selectionOf,
  type TableBlock,
} from '#src/base/contracts/report/reportBlock.ts';
import { alignedDecimals, meanText, metricTexts } from '#src/base/lib/groupedTable.ts';
import { valueText } from '#src/base/lib/labels.ts';
import { toNumber } from '#src/base/lib/metricValue.ts';
import { shortNumeralCells } from '#src/base/lib/shortNumerals.ts';
import { shownGroups } from '#src/base/lib/shownGroups.ts';
import { groupRules, ruledName, valuesText } from '#src/base/lib/valueRules.ts';
import { type ReportRun, useReportGroups, useReportRuns } from './useReportData.ts';
import { Icon } from '#web/components/Icon.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { shorten } from '#src/base/lib/shorten.ts';
import { standingRule, summaryValue } from '#web/lib/summaryValue.ts';
import { areNumbers } from '#web/lib/areNumbers.ts';
import { columnOfField, configurationValue, pathOfColumn } from '#web/lib/runColumn.ts';
import { GroupVerdict } from '../runs/GroupVerdict.tsx';
import { FigureFrame } from './FigureFrame.tsx';
import '../runs/groupedRuns.css';

interface TableFigureProps {
  block: TableBlock;
  project: string;
}

/** A table of runs, or of groups of them, in a text. */
export function TableFigure(props: TableFigureProps) {
  return props.block.groupBy.length === 0 ? <RunTable {...props} /> : <GroupTable {...props} />;
}

function GroupTable({ block, project }: TableFigureProps) {
  const { groupBy, baseline, first, metrics } = block;
  const { data, error } = useReportGroups({
    ...{ ...selectionOf(block.shown, project), groupBy, baseline, first },
    ...{ metrics: groupMetricsOf(block), orderBy: groupOrderOf(block) },
  });
  const groups = useMemo(() => data?.edges.map(({ node }) => node) ?? [], [data]);
  const table = useMemo(() => shownGroups(groups, data?.fields ?? [], metrics), [groups, data, metrics]);
  const texts = metrics.map((_, metric) => metricTexts(table, metric));
  const cells = shortNumeralCells(table.rows.map((row) => row.cells));
  const aligned = table.heads.map((_, column) => numberClass(table.rows.map(({ cells }) => cells[column] ?? '')));
  return (
    <FigureFrame title={block.title} name="Table of groups of runs" pending={data === undefined} error={error}>
      {data != null && groups.length === 0 && <p className="muted">No run matches.</p>}
      {groups.length > 0 && (
        <Scrolled name={block.title ?? 'Groups of runs'}>
          <table className="table">
            <thead>
              <tr>
                {table.heads.map((head, column) => (
                  <th scope="col" className={aligned[column]} key={head}>
                    {head}
                  </th>
                ))}
                <th scope="col" className="number">
                  runs
                </th>
                {metrics.map((name) => (
                  <MetricHeads key={name} name={name} tested={baseline !== null} />
                ))}
              </tr>
            </thead>
            <tbody>
              {groups.map((group, row) => (
                <tr key={group.id}>
                  {cells[row]!.map((cell, column) => (
                    <td className={aligned[column]} key={table.heads[column]}>
                      {cell}
                    </td>
                  ))}
                  <td className="number">{group.runCount}</td>
                  {group.metrics.map((metric, column) => (
                    <MetricCells
                      key={metric.name}
                      {...{ metric, isBaseline: group.isBaseline, tested: baseline !== null }}
                      text={texts[column]?.[row] ?? ''}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
      {data != null && data.totalCount > groups.length && groups.length > 0 && (
        <p className="muted report-note">
          The first {groups.length} of {data.totalCount} groups.
        </p>
      )}
      {groups.length > 0 && metrics.length > 0 && (
        <p className="muted report-note">
          {capitalized(valuesText(data?.metrics.flatMap(groupRules) ?? []))}, mean ± standard deviation (n).
        </p>
      )}
    </FigureFrame>
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function MetricHeads({ name, tested }: { name: string; tested: boolean }) {
  return (
    <>
      <th scope="col" className="number">
        {name}
      </th>
      {tested && <th scope="col">against the baseline</th>}
    </>
  );
}

type GroupMetric = NonNullable<ReturnType<typeof useReportGroups>['data']>['edges'][number]['node']['metrics'][number];

function MetricCells({
  metric,
  text,
  isBaseline,
  tested,
}: {
  metric: GroupMetric;
  text: string;
  isBaseline: boolean;
  tested: boolean;
}) {
  return (
    <>
      <td className={metric.isBest ? 'number groups-best' : 'number'}>
        {metric.isBest && (
          <>
            <Icon name="star" size={11} />
            <span className="visually-hidden">best: </span>
          </>
        )}
        {text} <span className="muted">({metric.n})</span>
      </td>
      {tested && <td>{isBaseline ? <span className="muted">baseline</span> : <GroupVerdict test={metric.test} />}</td>}
    </>
  );
}

function RunTable({ block, project }: TableFigureProps) {
  const { metrics, columns, first } = block;
  const { data, error } = useReportRuns({
    ...{ ...selectionOf(block.shown, project), orderBy: runOrderOf(block), first, metrics },
  });
  const runs = data?.runs ?? [];
  const taken = metrics.map((name) => runs.map((run) => valueOfRun(run, name, block.values === 'best')));
  const values = taken.map((column) => column.map((one) => one?.value ?? null));
  const heads = metrics.map((name, metric) => ruledName(name, rulesOf(taken[metric]!)));
  const decimals = values.map(alignedDecimals);
  const fields = columns.map((name) => runs.map((run) => fieldText(run, name)));
  const aligned = fields.map(numberClass);
  return (
    <FigureFrame title={block.title} name="Table of runs" pending={data === undefined} error={error}>
      {data !== undefined && runs.length === 0 && <p className="muted">No run matches.</p>}
      {runs.length > 0 && (
        <Scrolled name={block.title ?? 'Runs'}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col" className="number">
                  run
                </th>
                <th scope="col">name</th>
                <th scope="col">state</th>
                {columns.map((name, column) => (
                  <th scope="col" className={aligned[column]} key={name}>
                    {name}
                  </th>
                ))}
                {heads.map((head) => (
                  <th scope="col" className="number" key={head}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {runs.map((run, row) => (
                <tr key={run.id}>
                  <td className="number">
                    <Link to="/runs/$runId" params={{ runId: String(run.number) }}>
                      {run.number}
                    </Link>
                  </td>
                  <th scope="row">{run.name}</th>
                  <td>
                    <StateBadge state={run.state} />
                  </td>
                  {columns.map((name, column) => (
                    <td className={aligned[column]} key={name}>
                      {fields[column]?.[row]}
                    </td>
                  ))}
                  {metrics.map((name, metric) => (
                    <td className="number" key={name}>
                      {meanText(values[metric]![row]!, null, decimals[metric]!)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
      {data !== undefined && (block.shown.matched ?? data.totalCount) > runs.length && runs.length > 0 && (
        <p className="muted report-note">
          The first {runs.length} of {block.shown.matched ?? data.totalCount} runs.
        </p>
      )}
    </FigureFrame>
  );
}

/** Numbers stand at the right, whatever they are. */
function numberClass(texts: readonly string[]): 'number' | undefined {
  return areNumbers(texts) ? 'number' : undefined;
}

function Scrolled({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="table-scroll" aria-label={name} tabIndex={0}>
      {children}
    </section>
  );
}

/** The value that stands for a metric in a run, or its best, and by which rule. */
function valueOfRun({ metrics }: ReportRun, name: string, best: boolean): { value: number; rule: string } | null {
  const found = metrics.find((one) => one.name === name);
  if (found === undefined) return null;
  const { direction } = found;
  if (!best || direction == null) return { value: summaryValue(found), rule: standingRule(found) };
  const extreme = direction === 'lower' ? found.minimum : found.maximum;
  return extreme == null ? null : { value: toNumber(extreme), rule: direction === 'lower' ? 'min' : 'max' };
}

function rulesOf(values: readonly ({ rule: string } | null)[]): string[] {
  return [...new Set(values.flatMap((one) => one?.rule ?? []))].sort();
}

/** Characters of a cell: a list or a prompt would push everything else out of sight. */
const LONGEST_CELL = 120;

function fieldText(run: ReportRun, field: string): string {
  const own: Readonly<Record<string, unknown>> = {
    ...{ seed: run.seed, kind: run.configuration.kind, dataset: run.configuration.datasetName, created: run.createdAt },
    ...{ tags: run.tags.join(', '), project: run.project.name },
  };
  const path = pathOfColumn(columnOfField(field, Object.keys(own)));
  const value = Object.hasOwn(own, field)
    ? own[field]
    : path === null
      ? undefined
      : configurationValue(run.configuration, path);
  return value == null ? '' : shorten(valueText(value), LONGEST_CELL);
}
