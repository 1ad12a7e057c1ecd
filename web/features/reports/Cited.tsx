import { Link } from '@tanstack/react-router';
import { createContext, useContext } from 'react';
import type { Citation } from '#src/base/contracts/report/citation.ts';
import { citedMean } from '#src/base/contracts/report/citedMean.ts';
import { TOO_MANY_CITED } from '#src/base/contracts/report/readReport.ts';
import { alignedDecimals, meanText } from '#src/base/lib/groupedTable.ts';
import { formatSeedList } from '#src/base/lib/seedList.ts';
import type { ReportRun } from './useReportData.ts';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { writeList } from '#web/lib/listInUrl.ts';
import { summaryValue } from '#web/lib/summaryValue.ts';

/** The runs that the text cites. */
export interface RunsCited {
  /** By number; null while they are read. */
  runs: ReadonlyMap<number, ReportRun> | null;
  /** The numbers that are read: of very many citations the first. */
  asked: ReadonlySet<number>;
}

export const CitedRuns = createContext<RunsCited>({ runs: null, asked: new Set() });

/** A run, the value of a run's metric, or a comparison, in a sentence. */
export function Cited({ citation }: { citation: Citation }) {
  const { runs, asked } = useContext(CitedRuns);
  if (citation.type === 'problem') {
    return (
      <span className="danger-text" title={citation.problem}>
        {citation.text} <span className="report-note">({citation.problem})</span>
      </span>
    );
  }
  if (citation.type === 'comparison') {
    return (
      <Link to="/compare" search={{ runs: writeList(citation.numbers.map(String)) }}>
        comparison of runs {formatSeedList(citation.numbers)}
      </Link>
    );
  }
  if (citation.type === 'runs') return <CitedMean {...citation} {...{ runs, asked }} />;
  const { number, metric } = citation;
  const run = runs?.get(number);
  if (run === undefined) {
    if (runs === null) return <>run {number}</>;
    if (!asked.has(number)) return <span title={TOO_MANY_CITED}>run {number}</span>;
    return <span className="danger-text">run {number} (there is none, or it is in the trash)</span>;
  }
  const found = metric === null ? undefined : run.metrics.find(({ name }) => name === metric);
  if (metric !== null) {
    if (found === undefined) {
      return (
        <span className="danger-text">
          run {number} has no {metric}
        </span>
      );
    }
    const value = summaryValue(found);
    return (
      <Link to="/runs/$runId" params={{ runId: String(number) }} title={`${metric} of run ${number} ${run.name}`}>
        {meanText(value, null, alignedDecimals([value]))}
      </Link>
    );
  }
  return (
    <span className="report-cited">
      <Link to="/runs/$runId" params={{ runId: String(number) }}>
        run {number} {run.name}
      </Link>{' '}
      <StateBadge state={run.state} />
    </span>
  );
}

interface CitedMeanProps extends RunsCited {
  numbers: readonly number[];
  metric: string | null;
}

/** The mean of a metric over several runs, with deviation and count, or the runs themselves. */
function CitedMean({ numbers, metric, runs, asked }: CitedMeanProps) {
  const words = `runs ${formatSeedList(numbers)}`;
  const search = { runs: writeList(numbers.map(String)) };
  if (metric === null || runs === null) {
    return (
      <Link to="/compare" search={search}>
        {words}
      </Link>
    );
  }
  if (!numbers.every((number) => asked.has(number))) {
    return (
      <span className="danger-text">
        {words} ({TOO_MANY_CITED})
      </span>
    );
  }
  const mean = citedMean(
    numbers.map((number) => {
      const found = runs.get(number)?.metrics.find(({ name }) => name === metric);
      return found === undefined ? null : summaryValue(found);
    }),
  );
  if (mean === null) {
    return (
      <span className="danger-text">
        {words} have no {metric}
      </span>
    );
  }
  return (
    <Link to="/compare" search={search} title={`${metric} of ${words}: mean ± standard deviation (number of runs)`}>
      {mean}
    </Link>
  );
}
