import { WarrenError } from '#src/base/contracts/errors.ts';
import { type Citation, replaceCitations } from '#src/base/contracts/report/citation.ts';
import { citedMean } from '#src/base/contracts/report/citedMean.ts';
import { missingText, pinnedBlock, type ReportPin } from '#src/base/contracts/report/pinnedBlock.ts';
import {
  blocksOf,
  citationsOf,
  citedRuns,
  codeLinesOf,
  MOST_CITED,
  TOO_MANY_CITED,
} from '#src/base/contracts/report/readReport.ts';
import type { ReportBlock } from '#src/base/contracts/report/reportBlock.ts';
import { alignedDecimals, meanText } from '#src/base/lib/groupedTable.ts';
import { formatSeedList } from '#src/base/lib/seedList.ts';
import { runValues } from '#src/metrics/valuesOfSeries.ts';
import { findRunsByNumber, type RunRecord } from '#src/runs/store/runRecord.ts';
import type { ReportRecord, ReportTextRecord } from '#src/reports/store/reportRecord.ts';
import { blockMarkdown, escapeMarkdown, type MarkdownContext, stateWord } from './blockMarkdown.ts';

/**
 * A report as Markdown that needs no Warren: its blocks are tables, its citations words, with the numbers of now. What cannot
 * be shown says so in its place.
 * @param project Name of the report's project.
 * @param pins The runs that blocks showed when the version was saved, which are shown instead of today's; null: today's.
 */
export async function reportMarkdown(
  context: MarkdownContext,
  { number, project }: Pick<ReportRecord, 'number'> & { project: string },
  { title, text, version, savedBy, savedAt, pins }: ReportTextRecord & { pins: readonly ReportPin[] | null },
): Promise<string> {
  const lines = text.split('\n');
  const written = await citationWriter(context, citationsOf(text));
  const inCode = new Set<number>();
  for (const [from, to] of codeLinesOf(text)) for (let line = from; line < to; line++) inCode.add(line);
  const shown: (string | null)[] = lines.map((line, place) =>
    inCode.has(place) ? line : replaceCitations(line, written),
  );
  for (const { block, lines: at, index } of blocksOf(text)) {
    const [from, to] = at;
    const indent = /^[\s>]*/.exec(lines[from] ?? '')?.[0] ?? '';
    const pin = pins?.find((one) => one.block === index);
    const content = 'problem' in block ? notShown(block.problem) : await shownBlock(context, { block, project, pin });
    shown.fill(null, from, to);
    shown[from] = content
      .trimEnd()
      .split('\n')
      .map((line) => indent + line)
      .join('\n');
  }
  const first = lines.findIndex((line) => line.trim() !== '');
  if (isHeadingOf(lines[first] ?? '', title)) shown[first] = null;
  const body = shown.filter((line) => line !== null).join('\n');
  const runs = pins === null ? `tables and numbers as of ${dayOf(new Date())}` : 'with the runs of when it was saved';
  const origin = `Report ${number} of ${escapeMarkdown(project)}, version ${version}, saved by ${escapeMarkdown(savedBy)} on ${dayOf(savedAt)}; ${runs}.`;
  return `# ${escapeMarkdown(title)}\n\n${body.replace(/^\n+/, '').trimEnd()}\n\n---\n\n_${origin}_\n`;
}

/** Whether a line is the title as `#` heading, which stands above the text anyway. */
function isHeadingOf(line: string, title: string): boolean {
  const heading = /^ {0,3}#[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line)?.[1];
  return heading !== undefined && [title, escapeMarkdown(title)].some((one) => one.trim() === heading);
}

interface ShownBlock {
  block: ReportBlock;
  project: string;
  pin: ReportPin | undefined;
}

async function shownBlock(context: MarkdownContext, { block, project, pin }: ShownBlock): Promise<string> {
  const missing = pin === undefined ? null : missingText(pin);
  const ended = missing === null ? '' : `\n\n_${missing}_\n`;
  try {
    const shown = await blockMarkdown(context, pin === undefined ? block : pinnedBlock(block, pin), project);
    return shown.trimEnd() + ended;
  } catch (error) {
    if (error instanceof WarrenError && error.code !== 'INTERNAL') return notShown(error.message) + ended;
    throw error;
  }
}

function notShown(problem: string): string {
  // a second line only points into the first
  return `> This cannot be shown: ${escapeMarkdown(problem.split('\n')[0]!)}`;
}

/** Reads the runs that are cited; answers how each citation reads. */
async function citationWriter(
  { db }: MarkdownContext,
  citations: readonly Citation[],
): Promise<(citation: Citation) => string> {
  const cited = citedRuns(citations);
  const names = cited.metrics;
  const numbers = cited.numbers.slice(0, MOST_CITED);
  const asked = new Set(numbers);
  const runs = new Map((await findRunsByNumber(db, numbers)).map((run) => [run.number, run]));
  const ids = [...runs.values()].map(({ id }) => id);
  const values = names.length === 0 ? new Map() : await runValues(db, ids, { names });
  const valueIn = (id: string | undefined, metric: string) => values.get(id ?? '')?.get(metric)?.value ?? null;
  return (citation) => {
    if (citation.type === 'problem') return escapeMarkdown(citation.text);
    if (citation.type === 'comparison') return `comparison of runs ${formatSeedList(citation.numbers)}`;
    if (citation.type === 'runs') {
      const words = `runs ${formatSeedList(citation.numbers)}`;
      if (citation.metric === null) return words;
      if (!citation.numbers.every((number) => asked.has(number))) return `${words} (${TOO_MANY_CITED})`;
      const found = citation.numbers.map((number) => valueIn(runs.get(number)?.id, citation.metric!));
      return citedMean(found) ?? `${words} have no ${escapeMarkdown(citation.metric)}`;
    }
    const run = runs.get(citation.number);
    if (!asked.has(citation.number)) return `run ${citation.number} (${TOO_MANY_CITED})`;
    if (run === undefined) return `run ${citation.number} (there is none)`;
    if (citation.metric === null) return runWords(run);
    const value = valueIn(run.id, citation.metric);
    if (value === null) return `run ${run.number} has no ${escapeMarkdown(citation.metric)}`;
    return meanText(value, null, alignedDecimals([value]));
  };
}

function runWords({ number, name, state, deletedAt }: RunRecord): string {
  return `run ${number} (${escapeMarkdown(name)}, ${deletedAt === null ? stateWord(state) : 'in the trash'})`;
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
