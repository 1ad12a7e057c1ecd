import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { MetricSummary, RunRow } from './useRuns.ts';
import { DurationText } from '#web/components/DurationText.tsx';
import { ProgressBar } from '#web/components/ProgressBar.tsx';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { Tag } from '#web/components/Tag.tsx';
import { TimeText } from '#web/components/TimeText.tsx';
import { tellsProgress } from '#src/base/contracts/runProgress.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { shorten } from '#src/base/lib/shorten.ts';
import { formatValue } from '#web/lib/fieldText.ts';
import { formatDigits } from '#web/lib/formatNumber.ts';
import { type ParameterDigits, parameterText } from '#web/lib/parameterNumber.ts';
import { summaryOrigin, summaryValue } from '#web/lib/summaryValue.ts';
import { configurationValue, metricOfColumn, metricOfCurve, pathOfColumn, textOfColumn } from '#web/lib/runColumn.ts';
import { ConfigurationMark } from '../shared/ConfigurationMark.tsx';
import { isRunField, type RunField } from './columnChoice.ts';
import { textOf } from './textOf.ts';
import { sparklinePath } from './sparklinePath.ts';

const WIDTH = 116;
const HEIGHT = 20;

/** A curve without axes, for the eye: its last value stands in the metric's own column. */
function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  return (
    <svg className="runs-sparkline" width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <path d={sparklinePath(values, WIDTH, HEIGHT)} fill="none" stroke="currentColor" strokeWidth="1.25" />
    </svg>
  );
}

export interface RunCellProps {
  run: RunRow;
  column: string;
  /** Those of its metrics that columns show. */
  curves: ReadonlyMap<string, readonly number[]> | undefined;
  /** Tab stops at its link. */
  reachable: boolean;
  /** How the numbers of a parameter's column are shown; the pointer shows them whole. */
  digits?: ParameterDigits;
}

/** Characters of notes in a cell, and of those that the pointer shows. */
const LONGEST_LINE = 300;
const LONGEST_TITLE = 2_000;

/** What a column that is no metric's shows of a run. Drawn again only when that changes: not when the row gets other columns beside it. */
export const RunCell = memo(function RunCell({ run, column, curves, reachable, digits = 'written' }: RunCellProps) {
  const curve = metricOfCurve(column);
  if (curve !== null) {
    const values = curves?.get(curve);
    return values === undefined ? null : <Sparkline values={values} label={`Curve of ${curve}, run ${run.number}`} />;
  }
  const name = textOfColumn(column);
  if (name !== null) return <LongText text={textOf(run, name)} />;
  const path = pathOfColumn(column);
  if (path !== null) {
    const value = configurationValue(run.configuration, path);
    const text = formatValue(value);
    return (
      <span className="runs-clip" title={text}>
        {typeof value === 'number' ? parameterText(value, digits) : text}
      </span>
    );
  }
  return isRunField(column) ? <FieldCell {...{ run, reachable }} field={column} /> : null;
});

function FieldCell({ run, field, reachable }: { run: RunRow; field: RunField; reachable: boolean }) {
  switch (field) {
    case 'name':
      return (
        <Link
          className="runs-clip"
          to="/runs/$runId"
          params={{ runId: run.id }}
          title={run.name}
          tabIndex={reachable ? 0 : -1}
        >
          {run.name}
        </Link>
      );
    case 'state':
      return (
        <StateBadge
          state={run.state}
          cancelling={run.cancelRequested && run.state === 'RUNNING'}
          progress={run.progress > 0 ? run.progress : null}
        />
      );
    case 'progress':
      // What an earlier attempt had done says nothing of a run that waits for its next.
      return (run.state === 'RUNNING' && tellsProgress(run)) ||
        (run.progress > 0 && run.state !== 'QUEUED' && run.state !== 'WAITING') ? (
        <ProgressBar
          fraction={run.progress}
          label={`Progress of run ${run.number}`}
          look={run.state === 'SUCCEEDED' ? 'done' : run.state === 'RUNNING' ? 'running' : 'stopped'}
        />
      ) : null;
    case 'kind':
      return run.configuration.kind;
    case 'dataset':
      return run.configuration.datasetName === null ? (
        <span className="muted">–</span>
      ) : (
        <span title={run.configuration.datasetName}>{run.configuration.datasetName}</span>
      );
    case 'headline':
      return run.headline == null ? null : <HeadlineCell summary={run.headline} />;
    case 'seed':
      return run.seed;
    case 'duration':
      return <DurationText startedAt={run.startedAt} endedAt={run.endedAt} />;
    case 'created':
      return <TimeText time={run.createdAt} />;
    case 'started':
      return run.startedAt === null ? '–' : <TimeText time={run.startedAt} />;
    case 'ended':
      return run.endedAt === null ? '–' : <TimeText time={run.endedAt} />;
    case 'project':
      return run.project.name;
    case 'user':
      return (
        <span className="runs-clip" title={run.user ?? ''}>
          {run.user}
        </span>
      );
    case 'tags':
      return (
        <span className="runs-tags">
          {run.tags.map((tag) => (
            <Tag key={tag} text={tag} />
          ))}
        </span>
      );
    case 'notes':
      return <LongText text={run.notes ?? ''} />;
    case 'configuration':
      return <ConfigurationMark hash={run.configuration.hash} />;
    case 'attempt':
      return `${run.attempt} of ${run.maxAttempts}`;
    case 'priority':
      return run.priority;
    default:
      return assertNever(field);
  }
}

/** The metric that tells most of a run, with its name, since each run has its own. */
function HeadlineCell({ summary }: { summary: MetricSummary }) {
  return (
    <span className="runs-clip" title={`${summary.name} ${summaryValue(summary)} ${summaryOrigin(summary)}`}>
      <span className="number">{formatDigits(summaryValue(summary))}</span>{' '}
      <span className="muted">{summary.name}</span>
    </span>
  );
}

/** The first line; the pointer shows more. */
function LongText({ text }: { text: string }) {
  return (
    <span className="runs-clip" title={shorten(text, LONGEST_TITLE)}>
      {firstLine(text)}
    </span>
  );
}

function firstLine(text: string): string {
  const lines = text.trim().split('\n');
  return `${shorten(lines[0] ?? '', LONGEST_LINE)}${lines.length > 1 ? ' …' : ''}`;
}

/** Numbers stand at the right edge. */
export function isNumberColumn(column: string): boolean {
  return metricOfColumn(column) !== null || ['seed', 'duration', 'attempt', 'priority'].includes(column);
}
