import { usePrimaryMetric } from '#web/features/metrics/usePrimaryMetrics.ts';
import type { RunDetail } from '#web/features/run/useRun.ts';
import { isLive } from '#web/lib/runStates.ts';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { useNow } from '#web/components/useNow.ts';
import { formatDuration } from '#web/lib/formatDuration.ts';
import { formatDateTime } from '#web/lib/formatTime.ts';
import { Circumstances } from './Circumstances.tsx';
import { useMemo } from 'react';
import { useMetricSeries } from '#web/features/metrics/useMetricSeries.ts';
import { seriesStyle } from '#web/charts/seriesStyle.ts';
import { ChartCard } from '#web/features/shared/ChartCard.tsx';
import { DEFAULT_SETTINGS } from '#web/features/shared/ChartControls.tsx';
import { curveOf } from '#web/features/shared/curveOf.ts';
import { counterNames } from '#web/lib/counters.ts';
import { pickHeadlines } from '#web/lib/pickHeadlines.ts';
import { HeadlineNumbers } from './HeadlineNumbers.tsx';
import { Link } from '@tanstack/react-router';
import { formatCount } from '#web/lib/formatNumber.ts';
import { shorten } from '#src/base/lib/shorten.ts';
import { useLogTail } from '#web/features/run/useLogTail.ts';
import { Settings } from './Settings.tsx';
import './overview.css';

type Attempt = RunDetail['attempts'][number];

/** Attempts drawn, the newest. */
const MOST_SHOWN = 6;
/** A bar is never thinner than this, in percent. */
const THINNEST = 1.5;

/** The tries at a run on one line of time, waiting between them left open. */
function AttemptTimeline({ run }: { run: RunDetail }) {
  const now = useNow(1000, run.endedAt === null).getTime();
  const shown = run.attempts.slice(-MOST_SHOWN);
  const first = shown[0];
  if (first === undefined || run.attempts.length < 2) return null;
  const begin = Date.parse(first.startedAt);
  const end = Math.max(begin + 1, ...shown.map((attempt) => endOf(attempt, now)));
  return (
    <section className="panel" aria-labelledby="timeline-title">
      <div className="panel-head">
        <h2 id="timeline-title">Attempts</h2>
        <span className="muted">over {formatDuration(end - begin)}</span>
      </div>
      <ol className="timeline">
        {shown.map((attempt) => {
          const from = ((Date.parse(attempt.startedAt) - begin) / (end - begin)) * 100;
          const width = Math.max(
            THINNEST,
            ((endOf(attempt, now) - Date.parse(attempt.startedAt)) / (end - begin)) * 100,
          );
          return (
            <li key={attempt.number} title={titleOf(attempt)}>
              <span className="timeline-head">
                <span>{attempt.number}</span>
                <StateBadge state={attempt.state} />
                <span className="muted timeline-why">{whyOf(attempt)}</span>
                <span className="muted">{formatDuration(endOf(attempt, now) - Date.parse(attempt.startedAt))}</span>
              </span>
              <span className="timeline-track" aria-hidden="true">
                <span
                  className={`timeline-bar state-${attempt.state.toLowerCase()}`}
                  style={{
                    left: `${Math.min(from, 100 - THINNEST)}%`,
                    width: `${Math.min(width, 100 - Math.min(from, 100 - THINNEST))}%`,
                  }}
                />
              </span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function endOf(attempt: Attempt, now: number): number {
  return attempt.endedAt === null ? now : Date.parse(attempt.endedAt);
}

function whyOf({ errorCode, resumedFromStep }: Attempt): string {
  const from = resumedFromStep === null ? '' : `from step ${resumedFromStep}`;
  return [from, errorCode ?? ''].filter((part) => part !== '').join(', ');
}

function titleOf(attempt: Attempt): string {
  const began = formatDateTime(new Date(attempt.startedAt));
  const on = attempt.workerName === '' ? '' : ` on ${attempt.workerName}`;
  return `Attempt ${attempt.number} began ${began}${on}. ${attempt.errorMessage ?? ''}`;
}

const MAX_POINTS = 300;

interface HeadlineCurvesProps {
  run: RunDetail;
  primary: string | null;
  most: number;
}

/** The courses that tell most, small; what only counts is not among them. */
function HeadlineCurves({ run, primary, most }: HeadlineCurvesProps) {
  const counters = useMemo(() => counterNames(run.metrics), [run.metrics]);
  const courses = run.metrics.filter(({ name, pointCount }) => pointCount >= 2 && !counters.has(name));
  const picked = pickHeadlines(
    courses.map(({ name }) => name),
    primary,
    { most, perPart: 2 },
  );
  const key = JSON.stringify([picked, picked.map((name) => courses.find((one) => one.name === name)?.stepMetric)]);
  const { names, read } = useMemo(() => {
    const [wanted, axes] = JSON.parse(key) as [string[], (string | null | undefined)[]];
    return { names: wanted, read: [...new Set([...wanted, ...axes.flatMap((axis) => axis ?? [])])] };
  }, [key]);
  const runIds = useMemo(() => [run.id], [run.id]);
  const { series, error } = useMetricSeries({ runIds, names: read, maxPoints: MAX_POINTS, live: isLive(run.state) });
  const curves = useMemo(
    () =>
      names.map((name) => {
        const one = series?.find((found) => found.name === name);
        const axis = courses.find((course) => course.name === name)?.stepMetric;
        return one === undefined
          ? null
          : [
              curveOf(one, {
                ...{ label: name, style: seriesStyle(0), settings: DEFAULT_SETTINGS },
                axis: series?.find((found) => found.name === axis) ?? null,
              }),
            ];
      }),
    [names, series, courses],
  );
  // a run that was imported without its points will not have any
  const there = names.filter((_, index) => series === null || isLive(run.state) || curves[index] !== null);
  if (names.length === 0) return null;
  return (
    <section aria-label="Curves">
      {error !== null && <p className="danger-text">{error instanceof Error ? error.message : String(error)}</p>}
      {there.length === 0 && <p className="muted">The points of its curves are not here, only their last values.</p>}
      <div className="overview-curves">
        {there.map((name) => (
          <ChartCard key={name} title={name} curves={curves[names.indexOf(name)] ?? null} settings={DEFAULT_SETTINGS} />
        ))}
      </div>
    </section>
  );
}

const MOST_ROWS = 7;

/** The newest texts that the run logged, by name. */
function LastTexts({ run }: { run: RunDetail }) {
  const { texts } = run;
  if (texts.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="texts-title">
      <div className="panel-head">
        <h2 id="texts-title">Texts</h2>
      </div>
      <table className="table value-table overview-settings">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Text</th>
          </tr>
        </thead>
        <tbody>
          {texts.slice(0, MOST_ROWS).map(({ name, step, texts: values }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td className="overview-text" title={`at step ${formatCount(step)}`}>
                {values.join('\n')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="overview-foot">
        <Link to="/runs/$runId" params={{ runId: run.id }} search={{ tab: 'media' }} replace>
          {texts.length > MOST_ROWS ? `${formatCount(texts.length - MOST_ROWS)} more, and all` : 'All'} of every step
        </Link>
      </p>
    </section>
  );
}

/** Longer lines are whole in the tab Log alone: one of them would hide all others. */
const LONGEST_SHOWN_LINE = 500;

/** The last lines that the run wrote. */
function LogTail({ run, lines }: { run: RunDetail; lines: number }) {
  const { data } = useLogTail(run.id, { lines, state: run.state });
  if (data === undefined || data.length === 0) return null;
  return (
    <div className="panel">
      <div className="panel-head">
        <h2 id="tail-title">Last log lines</h2>
        <Link className="spread" to="/runs/$runId" params={{ runId: run.id }} search={{ tab: 'log' }} replace>
          All of the log
        </Link>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="log-tail" tabIndex={0} aria-labelledby="tail-title">
        <pre>
          {data.map((line) => (
            <span key={`${line.attempt} ${line.line}`} className={`log-${line.level}`}>
              <span className="log-text">{shorten(line.text, LONGEST_SHOWN_LINE)}</span>
              {'\n'}
            </span>
          ))}
        </pre>
      </section>
    </div>
  );
}

/** The run on one screen: for a failure what it wrote last, then numbers, curves, what was set, where it ran, and what it cost. */
export function OverviewPanel({ run }: { run: RunDetail }) {
  const primary = usePrimaryMetric(run.configuration.kind);
  const failed = run.state === 'FAILED' || run.state === 'CRASHED';
  return (
    <div className="overview">
      <div className="overview-column">
        {failed && <LogTail run={run} lines={12} />}
        <HeadlineNumbers run={run} primary={primary} />
        <LastTexts run={run} />
        <HeadlineCurves run={run} primary={primary} most={failed ? 3 : 6} />
        {isLive(run.state) && <LogTail run={run} lines={4} />}
      </div>
      <div className="overview-column">
        <AttemptTimeline run={run} />
        <Settings run={run} />
        <Circumstances run={run} />
      </div>
    </div>
  );
}
