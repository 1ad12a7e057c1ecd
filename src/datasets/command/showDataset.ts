import { z } from 'zod';
import { knownDataset } from '#src/catalog/datasets.ts';
import { type DatasetReport, datasetReportSchema, type SequenceReport } from '#src/base/contracts/datasetReport.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { inspectNumerics } from '#src/base/terminal/inspectNumerics.ts';
import type { Terminal } from '#src/base/terminal/terminal.ts';
import { renderTable } from '#src/base/terminal/table.ts';

const SAMPLE_USERS = 3;
const SAMPLE_ITEMS = 4;

const count = (value: number): string => value.toLocaleString('en');
const percent = (value: number): string => `${(value * 100).toFixed(2)} %`;

/** Prints what a dataset holds, beside what papers print of it. */
export async function showDataset(
  context: CommandContext,
  name: string,
  { json, lenient, preparation }: { json: boolean; lenient: boolean; preparation: Record<string, unknown> },
): Promise<void> {
  const { terminal } = context;
  const question = JSON.stringify({ name, lenient, folder: null, preparation });
  const report = await inspectNumerics(context, ['report', question], datasetReportSchema);
  const known = knownDataset(report.name);
  if (json) {
    // counts at the top as well, so that scripts need not know what kind of data it is
    const { users, items, interactions } = report.sequences ?? {};
    const counts = report.sequences === null ? {} : { users, items, interactions };
    terminal.print(JSON.stringify({ ...report, ...counts, published: known?.published ?? [] }, null, 2));
    return;
  }
  const { colours } = terminal;
  terminal.print(colours.bold(known === undefined ? report.name : `${known.title} (${known.name})`));
  if (known !== undefined) {
    terminal.print(
      `${known.description}\n\nHome      ${known.home}\nLicence   ${known.licence}\nCite      ${known.citation}`,
    );
    for (const { source, words } of known.uses ?? []) terminal.print(`Used      ${source}: ${words}`);
  }
  terminal.print(`File      ${report.path ?? 'generated'}`);
  terminal.print(`Content   ${report.fingerprint}`);
  for (const note of report.notes) terminal.say(`warren: ${note}`);
  if (report.sequences !== null) showSequences(terminal, report.sequences);
  else showOther(terminal, report);
}

function showSequences(terminal: Terminal, report: SequenceReport): void {
  const { colours } = terminal;
  terminal.print(
    `Counted   ${count(report.users)} users, ${count(report.items)} items, ${count(report.interactions)} interactions; density ${percent(report.density)}`,
  );
  terminal.print(
    `Sequences ${report.shortest} to ${report.longest} interactions a user, mean ${report.averageLength.toFixed(2)}, median ${report.median}`,
  );
  terminal.print(
    `Tail      the 25 % of users with fewest have ${percent(report.tailUserShare)} of the interactions, of items ${percent(report.tailItemShare)}`,
  );
  const ties = report.preparation?.ties;
  if (ties !== null && typeof ties === 'object' && 'interactions' in ties && 'lastItems' in ties) {
    terminal.print(
      `Ties      ${count(Number(ties.interactions))} interactions share their time with another of the same user; so do ${count(Number(ties.lastItems))} last items`,
    );
  }
  for (const line of preparationLines(report)) terminal.print(line);
  for (const { user, length, items } of report.samples.slice(0, SAMPLE_USERS)) {
    const shown = items.slice(0, SAMPLE_ITEMS).map(({ id, title }) => (title === null ? id : `${id} "${title}"`));
    terminal.print(colours.dim(`User ${user}: ${shown.join(', ')}${length > shown.length ? `, … (${length})` : ''}`));
  }
  if (report.comparisons.length === 0) return;
  const beside = (published: number, counted: number | undefined): string =>
    counted === undefined
      ? count(published)
      : counted === published
        ? `${count(published)} =`
        : `${count(published)} ≠ ${count(counted)}`;
  const right = 'right' as const;
  const columns = [
    { header: 'PUBLISHED (= or ≠ counted)' },
    { header: 'UNDER' },
    { header: 'USERS', align: right },
    { header: 'ITEMS', align: right },
    { header: 'INTERACTIONS', align: right },
  ];
  const rows = report.comparisons.map(({ source, preprocessing, published, counted }) => [
    source,
    preprocessing,
    beside(published.users, counted?.users),
    beside(published.items, counted?.items),
    beside(published.interactions, counted?.interactions),
  ]);
  terminal.print(`\n${renderTable(columns, rows, { styleHeader: colours.bold }).join('\n')}`);
  for (const { source, note } of report.comparisons) {
    if (note !== null) terminal.print(colours.dim(`${source}: ${note}`));
  }
}

const droppedSchema = z.object({
  read: z.object({ users: z.int(), items: z.int(), interactions: z.int() }),
  belowMinimumRating: z.int(),
  duplicatesRemoved: z.int(),
  belowCore: z.object({ users: z.int(), items: z.int(), interactions: z.int() }),
  cutByLength: z.int(),
  repeats: z.int(),
});

/** What comes twice, and what preparation left out, step by step. */
function preparationLines(report: SequenceReport): string[] {
  const parsed = droppedSchema.safeParse(report.preparation);
  if (!parsed.success) return [];
  const { read, belowMinimumRating, duplicatesRemoved, belowCore, cutByLength, repeats } = parsed.data;
  const lines: string[] = [];
  if (repeats > 0) lines.push(`Doubles   in ${count(repeats)} interactions the user has met the item before`);
  if (read.interactions !== report.interactions) {
    const steps = [
      [belowMinimumRating, 'below minimumRating'],
      [duplicatesRemoved, 'doubles'],
      [belowCore.interactions, 'below core'],
      [cutByLength, 'beyond maximumLength'],
    ] as const;
    const words = steps.flatMap(([dropped, why]) => (dropped > 0 ? [`${count(dropped)} ${why}`] : []));
    const arrow = (before: number, after: number): string => `${count(before)} → ${count(after)}`;
    lines.push(
      `Dropped   interactions ${arrow(read.interactions, report.interactions)}, users ${arrow(read.users, report.users)}, items ${arrow(read.items, report.items)}: ${words.join(', ')}`,
    );
  }
  return lines;
}

function showOther(terminal: Terminal, { name, series, prices, text }: DatasetReport): void {
  if (prices !== null) {
    terminal.print(
      `Counted   ${count(prices.days)} days, ${prices.first} to ${prices.last}, ${prices.lowest} to ${prices.highest}`,
    );
  }
  if (text !== null) {
    terminal.print(
      `Counted   ${count(text.train)} texts for training, ${count(text.test)} for testing, ${count(text.distinct)} distinct, mean ${text.meanCharacters.toFixed(0)} characters`,
    );
    for (const { label, texts } of text.classes) terminal.print(`Class ${label}   ${count(texts)}`);
  }
  if (series !== null) {
    const { train, test, classes } = series;
    const published = knownDataset(name)?.publishedSeries;
    const row = (label: string, counted: number | undefined, of: number | undefined): string[] => [
      label,
      counted === undefined ? 'not here' : count(counted),
      of === undefined ? '' : `${count(of)} ${of === counted ? '=' : '≠'}`,
    ];
    const rows = [
      row('series to train on', train.series, published?.train),
      row('series to test on', test?.series, published?.test),
      row('longest', Math.max(train.longest, test?.longest ?? 0), published?.length),
      row('shortest', Math.min(train.shortest, test?.shortest ?? train.shortest), undefined),
      row('classes', classes.length, published?.classes),
      row('missing values', train.missing + (test?.missing ?? 0), undefined),
    ];
    const columns = [
      { header: '' },
      { header: 'COUNTED', align: 'right' as const },
      { header: published?.source ?? '', align: 'right' as const },
    ];
    terminal.print(`\n${renderTable(columns, rows, { styleHeader: terminal.colours.bold }).join('\n')}`);
  }
}
