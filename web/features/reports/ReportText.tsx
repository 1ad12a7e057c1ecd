import { createElement, Fragment, type ReactNode, useMemo, createContext, useContext } from 'react';
import { missingText, pinnedBlock, type ReportPin } from '#src/base/contracts/report/pinnedBlock.ts';
import {
  citationsOf,
  citedRuns,
  type FoundBlock,
  MOST_CITED,
  readReport,
  type ReportNode,
  TOO_MANY_CITED,
} from '#src/base/contracts/report/readReport.ts';
import type { ReportBlock, ComparisonBlock } from '#src/base/contracts/report/reportBlock.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { useReportRuns, useReportComparison, type ReportRun } from './useReportData.ts';
import { Link } from '@tanstack/react-router';
import type { Citation } from '#src/base/contracts/report/citation.ts';
import { citedMean } from '#src/base/contracts/report/citedMean.ts';
import { alignedDecimals, meanText } from '#src/base/lib/groupedTable.ts';
import { formatSeedList } from '#src/base/lib/seedList.ts';
import { StateBadge } from '#web/components/StateBadge.tsx';
import { writeList } from '#web/lib/listInUrl.ts';
import { summaryValue } from '#web/lib/summaryValue.ts';
import { FieldTable } from '../comparisons/FieldTable.tsx';
import { VerdictTable } from '../comparisons/VerdictTable.tsx';
import { FigureFrame, BlockProblem } from './FigureFrame.tsx';
import '../comparisons/compare.css';
import { PanelFigure } from './PanelFigure.tsx';
import { TableFigure } from './TableFigure.tsx';
import './reportText.css';

/** The runs that the text cites. */
interface RunsCited {
  /** By number; null while they are read. */
  runs: ReadonlyMap<number, ReportRun> | null;
  /** The numbers that are read: of very many citations the first. */
  asked: ReadonlySet<number>;
}

const CitedRuns = createContext<RunsCited>({ runs: null, asked: new Set() });

/** A run, the value of a run's metric, or a comparison, in a sentence. */
function Cited({ citation }: { citation: Citation }) {
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

/** What a comparison of runs has shown, in a text: verdicts against the baseline, or in what the runs differ. */
function ComparisonFigure({ block }: { block: ComparisonBlock }) {
  const { metrics, baseline, perUser, show } = block;
  const { data, error } = useReportComparison({
    ...{ ids: block.runs.map(String), metrics, perUser, tested: show === 'verdict' },
    baseline,
  });
  return (
    <FigureFrame title={block.title} name="Comparison of runs" pending={data === undefined} error={error}>
      {data !== undefined && data.comparison.notComparable.length > 0 && (
        <p className="danger-text report-note">Not comparable, because {data.comparison.notComparable.join('; ')}.</p>
      )}
      {data !== undefined && show === 'differences' && (
        <FieldTable
          comparison={data.comparison}
          fields={data.comparison.fields.filter(({ differs, path }) => differs && path !== 'seed')}
          environment={[]}
          marked={false}
        />
      )}
      {data?.tests.map((tests) => (
        <div key={tests.name} className="report-verdict">
          <p className="report-note">
            <code>{tests.name}</code>
            <span className="muted"> over {perUser ? 'users' : 'seeds'}</span>
          </p>
          <VerdictTable comparison={data.comparison} metric={tests} perUser={perUser} />
        </div>
      ))}
    </FigureFrame>
  );
}

export interface ReportTextProps {
  text: string;
  /** Name of its project. */
  project: string;
  /** The runs that its blocks showed when it was saved, which are shown instead of today's; null: today's. */
  pins?: readonly ReportPin[] | null;
}

/** Runs of one page of the API: more cited ones show their numbers alone. */
const PAGE = 500;

/** A report as it reads: Markdown with live figures, tables and citations. HTML in it is text. */
export function ReportText({ text, project, pins = null }: ReportTextProps) {
  const nodes = useMemo(() => readReport(text), [text]);
  const shown = useMemo(() => ({ project, pins: new Map(pins?.map((pin) => [pin.block, pin])) }), [project, pins]);
  const cited = useMemo(() => {
    const { numbers, metrics } = citedRuns(citationsOf(text));
    return { numbers: numbers.slice(0, Math.min(PAGE, MOST_CITED)), metrics: metrics.slice(0, 100) };
  }, [text]);
  const { data, isError } = useReportRuns(
    cited.numbers.length === 0
      ? null
      : {
          ...{ project: null, filter: `number in (${cited.numbers.join(', ')})`, metrics: cited.metrics },
          ...{ orderBy: { by: 'number', direction: 'ASC' as const }, first: cited.numbers.length },
        },
  );
  const runs = useMemo(
    () => (data === undefined ? null : new Map(data.runs.map((run) => [run.number, run] as const))),
    [data],
  );
  const told = useMemo(() => ({ runs, asked: new Set(cited.numbers) }), [runs, cited]);
  const pending = cited.numbers.length > 0 && runs === null && !isError;
  return (
    <CitedRuns.Provider value={told}>
      <div className="report-text" data-pending={pending ? '' : undefined}>
        {drawn(nodes, shown)}
      </div>
    </CitedRuns.Provider>
  );
}

interface Shown {
  project: string;
  pins: ReadonlyMap<number, ReportPin>;
}

function drawn(nodes: readonly ReportNode[], shown: Shown): ReactNode[] {
  const seen = new Map<string, number>();
  return nodes.map((node, place) => {
    // a text has no keys of its own: its place tells a piece apart, but a block keeps what it has read while others are edited
    const name = node.type === 'block' ? JSON.stringify(node.block.block) : String(place);
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    return <Fragment key={`${name} ${before}`}>{drawnNode(node, shown)}</Fragment>;
  });
}

function drawnNode(node: ReportNode, shown: Shown): ReactNode {
  switch (node.type) {
    case 'text':
      return node.text;
    case 'code':
      return <code>{node.text}</code>;
    case 'fence':
      return <pre>{node.text}</pre>;
    case 'break':
      return <br />;
    case 'rule':
      return <hr />;
    case 'image':
      return <LinkOf address={node.address}>{node.label || 'picture'}</LinkOf>;
    case 'citation':
      return <Cited citation={node.citation} />;
    case 'block':
      return <Block found={node.block} shown={shown} />;
    case 'element':
      return element(node, shown);
    default:
      return assertNever(node);
  }
}

function element(node: Extract<ReportNode, { type: 'element' }>, shown: Shown): ReactNode {
  const { tag, children, address, align } = node;
  const inner = drawn(children, shown);
  if (tag === 'a') return <LinkOf address={address ?? ''}>{inner}</LinkOf>;
  if (tag === 'table') {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      <section className="table-scroll" aria-label="Table" tabIndex={0}>
        <table className="table">{inner}</table>
      </section>
    );
  }
  // the page's own title is its first head
  const name = /^h[1-5]$/.test(tag) ? `h${Number(tag[1]) + 1}` : tag;
  return createElement(name, align === null ? null : { className: `report-${align}` }, ...inner);
}

/** Only addresses of pages: what runs something is not followed. */
function LinkOf({ address, children }: { address: string; children: ReactNode }) {
  if (!/^(https?:\/\/|mailto:|\/(?!\/)|#)/i.test(address)) return <>{children}</>;
  return (
    <a href={address} rel="noreferrer noopener">
      {children}
    </a>
  );
}

function Block({ found: { block, index }, shown: { project, pins } }: { found: FoundBlock; shown: Shown }) {
  const pin = pins.get(index);
  if ('problem' in block) return <BlockProblem problem={block.problem} />;
  if (pin === undefined) return <Figure block={block} project={project} />;
  const missing = missingText(pin);
  return (
    <>
      <Figure block={pinnedBlock(block, pin)} project={project} />
      {missing !== null && <p className="report-note report-missing">{missing}</p>}
    </>
  );
}

function Figure({ block, project }: { block: ReportBlock; project: string }) {
  if (block.type === 'panel') return <PanelFigure block={block} project={project} />;
  if (block.type === 'table') return <TableFigure block={block} project={project} />;
  return <ComparisonFigure block={block} />;
}
