import { createElement, Fragment, type ReactNode, useMemo } from 'react';
import { missingText, pinnedBlock, type ReportPin } from '#src/base/contracts/report/pinnedBlock.ts';
import {
  citationsOf,
  citedRuns,
  type FoundBlock,
  MOST_CITED,
  readReport,
  type ReportNode,
} from '#src/base/contracts/report/readReport.ts';
import type { ReportBlock } from '#src/base/contracts/report/reportBlock.ts';
import { assertNever } from '#src/base/lib/assertNever.ts';
import { useReportRuns } from './useReportData.ts';
import { Cited, CitedRuns } from './Cited.tsx';
import { ComparisonFigure } from './ComparisonFigure.tsx';
import { BlockProblem } from './FigureFrame.tsx';
import { PanelFigure } from './PanelFigure.tsx';
import { TableFigure } from './TableFigure.tsx';
import './reportText.css';

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
