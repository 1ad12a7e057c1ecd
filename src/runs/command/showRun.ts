import { printable, singleLine } from '#src/base/lib/printable.ts';
import { isFinal } from '#src/base/contracts/runState.ts';
import { fetchLastLogLines } from './fetchLogs.ts';
import { fetchRunDetail, type RunDetail } from './fetchRuns.ts';
import { asPlainObject, type PlainObject } from '#src/base/lib/plainObject.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { shorten } from '#src/base/lib/shorten.ts';
import { formatBytes } from '#src/base/lib/formatBytes.ts';
import {
  formatAge,
  formatDuration,
  formatNumber,
  formatProgress,
  millisecondsBetween,
} from '#src/base/terminal/formatNumber.ts';
import { runStateText } from '#src/base/terminal/runStateText.ts';
import { MOST_PADDING, renderTable, type TableColumn } from '#src/base/terminal/table.ts';
import type { Terminal } from '#src/base/terminal/terminal.ts';
import { cutText, padText, textWidth } from '#src/base/terminal/textWidth.ts';
import { formatLogLine } from './followLog.ts';

/** In a terminal more parameters are counted only. */
const MOST_PARAMETERS = 60;
/** Longer lines are shown whole by `warren logs` alone. */
const LONGEST_SHOWN_LINE = 500;

/** The body of `warren show`. */
export async function showRun(
  context: CommandContext,
  id: string,
  options: { lines: number; json?: boolean },
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const run = await fetchRunDetail(api, id);
  if (options.json === true) {
    terminal.print(JSON.stringify(run, null, 2));
    return;
  }
  const log = options.lines === 0 ? [] : (await fetchLastLogLines(api, run.id, options.lines)).lines;
  terminal.print(
    [
      ...(await headLines(run, terminal)),
      ...metricLines(run, terminal),
      ...textLines(run, terminal),
      ...historyLines(run, terminal),
    ].join('\n'),
  );
  if (log.length === 0) return;
  terminal.print(
    heading(`Log (last ${log.length} lines; \`warren logs ${run.number}\` shows all)`, terminal).join('\n'),
  );
  const shown = log.map((line) => ({ ...line, text: shorten(line.text, LONGEST_SHOWN_LINE) }));
  terminal.print(shown.map((line) => formatLogLine(line, terminal.colours)).join('\n'));
}

function heading(text: string, { colours }: Terminal): string[] {
  return ['', colours.bold(text)];
}

function pairs(entries: readonly (readonly [string, string])[]): string[] {
  const widths = entries.map(([name]) => textWidth(name));
  // a very long name does not widen the other rows
  const width = Math.max(0, ...widths.filter((one) => one <= MOST_PADDING));
  return entries.map(([name, value]) => `${padText(name, width)}  ${value}`);
}

/** How its program was queued, of kinds that say so, and the parameters beside it. */
async function queuedAs({
  kind,
  parameters,
}: RunDetail['configuration']): Promise<{ facts: [string, string][]; own: PlainObject }> {
  const given = asPlainObject(parameters);
  if (kind !== 'command') return { facts: [], own: given };
  // it takes the catalog along, which other runs do without
  const { commandFacts } = await import('./commandFacts.ts');
  return commandFacts(given);
}

async function headLines(run: RunDetail, terminal: Terminal): Promise<string[]> {
  const { colours } = terminal;
  const now = new Date();
  const took = run.startedAt === null ? null : formatDuration(millisecondsBetween(run.startedAt, run.endedAt ?? now));
  const state = [
    runStateText(run.state, colours),
    ...(run.state === 'RUNNING'
      ? [formatProgress(run), printable(run.progressMessage)].filter((word) => word !== '')
      : []),
    ...(run.waitsFor === null ? [] : [`(waits for ${printable(run.waitsFor)})`]),
    ...(run.cancelRequested && !isFinal(run.state) ? ['(asked to stop)'] : []),
    ...(run.deletedAt === null ? [] : ['(in the trash)']),
  ].join(' ');
  const { configuration: of } = run;
  const environment = asPlainObject(run.environment);
  const { facts: queued, own: parameters } = await queuedAs(of);
  const facts: [string, string][] = [
    ['state', state],
    ['id', run.id],
    ['project', printable(run.project.name)],
    ['kind', of.kind],
    ['dataset', of.dataset === null ? '-' : inline(asPlainObject(of.dataset))],
    ['seed', String(run.seed)],
    ['created', `${run.createdAt} (${formatAge(run.createdAt, now)})`],
  ];
  if (run.user !== null) facts.push(['made by', printable(run.user)]);
  for (const warning of run.warnings) facts.push(['note', colours.yellow(printable(warning))]);
  if (run.gpus.length > 0) facts.push(['GPUs', run.gpus.join(', ')]);
  if (took !== null) facts.push(['took', took]);
  if (run.lastHeardAt !== null && (run.state === 'RUNNING' || run.state === 'CRASHED')) {
    const lease =
      run.leaseSeconds === null ? '' : `; crashed after ${formatDuration(run.leaseSeconds * 1000)} of silence`;
    facts.push(['last heard', `${run.lastHeardAt} (${formatAge(run.lastHeardAt, now)}${lease})`]);
  }
  if (run.forkedFrom !== null) facts.push(['forked', `from #${run.forkedFrom.number}, after step ${run.forkStep}`]);
  if (run.sweep !== null) {
    const part = run.sweepTrial === null ? 'confirms a trial' : `trial ${run.sweepTrial}`;
    facts.push(['sweep', `#${run.sweep.number} ${printable(run.sweep.name)}, ${part}`]);
  }
  if (run.tags.length > 0) facts.push(['tags', printable(run.tags.join(' '))]);
  if (run.notes !== '') facts.push(['notes', printable(run.notes)]);
  // what was queued is what ran, unless a value was filled in
  const ran = queued.some(([name, text]) => name === 'command' && !text.includes('{')) ? ['program'] : [];
  for (const [name, text] of [...queued, ...whereFacts(environment)]) {
    if (!ran.includes(name)) facts.push([name, printable(text)]);
  }
  if (typeof environment.backend === 'string')
    facts.push(['computed on', `${environment.backend}, ${String(environment.device ?? '')}`]);
  if (typeof environment.fingerprint === 'string') facts.push(['data', environment.fingerprint]);
  if (run.error !== null) facts.push(['error', colours.red(printable(`${run.error.code}: ${run.error.message}`))]);
  return [
    colours.bold(`#${run.number} ${printable(run.name)}`),
    ...pairs(facts),
    ...parameterLines(parameters, terminal),
  ];
}

/** What ran where, of which commit: as far as it was recorded. */
export function whereFacts({ program, arguments: given, host, python, ...code }: PlainObject): [string, string][] {
  const words = [program, ...(Array.isArray(given) ? given : [])];
  // a command has its program among its arguments
  const line = words.slice(code.gpuNumbers === undefined ? 0 : 1).filter((word) => typeof word === 'string');
  const place = [host, typeof python === 'string' ? `Python ${python}` : null].filter(
    (word) => typeof word === 'string',
  );
  const commit = typeof code.codeCommit === 'string' ? code.codeCommit.slice(0, 12) : '';
  const notes = [code.codeBranch, code.codeChanged === true ? 'with changes that are not committed' : ''].filter(
    Boolean,
  );
  const facts: [string, string][] = [
    ['program', line.join(' ')],
    ['host', place.join(', ')],
    ['commit', commit === '' ? '' : [commit, notes.length === 0 ? '' : `(${notes.join(', ')})`].join(' ').trim()],
  ];
  return facts.filter(([, text]) => text !== '');
}

/** The parameters, one a line: in a terminal cut to its width, and not more than fill a screen or two. */
export function parameterLines(parameters: PlainObject, terminal: Pick<Terminal, 'colours' | 'width'>): string[] {
  const all = Object.entries(parameters).map(
    ([name, value]) =>
      [singleLine(name), typeof value === 'string' ? printable(value) : JSON.stringify(value)] as const,
  );
  if (all.length === 0) return [];
  const title = ['', terminal.colours.bold('Parameters')];
  const width = terminal.width();
  if (width === undefined) return [...title, ...pairs(all)];
  const names = all.map(([name]) => cutText(name, Math.max(10, Math.floor(width / 2))));
  const room = Math.max(10, width - Math.max(...names.map((name) => textWidth(name))) - 2);
  const shown = all
    .slice(0, MOST_PARAMETERS)
    .map(([, value], row) => [names[row] ?? '', cutText(value, room)] as const);
  const isCut = shown.some(([name, value], row) => name !== all[row]?.[0] || value !== all[row]?.[1]);
  const left = all.length - shown.length;
  const notes = [...(left > 0 ? [`${left} more`] : []), ...(isCut ? ['… what is cut'] : [])];
  const note = notes.length === 0 ? [] : [terminal.colours.dim(`(${notes.join(', ')}: --json shows all)`)];
  return [...title, ...pairs(shown), ...note];
}

function inline(value: PlainObject): string {
  const { name, ...rest } = value;
  const details = Object.entries(rest).filter(([, member]) => member !== null && member !== 0);
  return [String(name), ...details.map(([key, member]) => `${key} ${String(member)}`)].join(', ');
}

function table(title: string, columns: TableColumn[], rows: string[][], terminal: Terminal): string[] {
  if (rows.length === 0) return [];
  return [
    ...heading(title, terminal),
    ...renderTable(columns, rows, { width: terminal.width(), styleHeader: terminal.colours.dim }),
  ];
}

/** The table of a run's metrics: the value that stands for each, by which rule where any has one. */
export function metricLines(run: Pick<RunDetail, 'metrics'>, terminal: Terminal): string[] {
  const right = { align: 'right' as const };
  const hasRules = run.metrics.some(({ summaryRule }) => (summaryRule ?? 'last') !== 'last');
  const rows = run.metrics.map((metric) => [
    metric.name,
    formatNumber(metric.summary),
    ...(hasRules ? [metric.summaryRule ?? 'last'] : []),
    formatNumber(metric.minimum),
    formatNumber(metric.maximum),
    String(metric.lastStep),
    String(metric.pointCount),
  ]);
  return table(
    'Metrics',
    [
      { header: 'name', minimum: 20 },
      { header: hasRules ? 'value' : 'last', ...right },
      ...(hasRules ? [{ header: 'by' }] : []),
      { header: 'least', ...right },
      { header: 'greatest', ...right },
      { header: 'step', ...right },
      { header: 'points', ...right },
    ],
    rows,
    terminal,
  );
}

/** The newest texts that a run logged, each on a line. */
function textLines(run: Pick<RunDetail, 'texts'>, terminal: Terminal): string[] {
  return table(
    'Texts',
    [
      { header: 'name', minimum: 20 },
      { header: 'step', align: 'right' },
      { header: 'text', minimum: 20 },
    ],
    run.texts.map(({ name, step, texts }) => [
      name,
      String(step),
      shorten(printable(texts.join(', ')), LONGEST_SHOWN_LINE),
    ]),
    terminal,
  );
}

/** Of all artifacts, equal files once. */
function totalBytes({ artifacts }: RunDetail): number {
  const sizes = new Map(artifacts.map(({ sha256, sizeBytes }) => [sha256, sizeBytes]));
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}

function historyLines(run: RunDetail, terminal: Terminal): string[] {
  const attempts = run.attempts.map((attempt) => [
    String(attempt.number),
    attempt.state.toLowerCase(),
    printable(attempt.workerName),
    attempt.endedAt === null ? '-' : formatDuration(millisecondsBetween(attempt.startedAt, attempt.endedAt)),
    attempt.resumedFromStep === null ? '' : `from step ${attempt.resumedFromStep}`,
    printable(attempt.errorMessage ?? ''),
  ]);
  const events = run.events.map((event) => [
    new Date(event.time).toTimeString().slice(0, 8),
    event.type,
    printable(event.message),
  ]);
  const artifacts = run.artifacts.map((artifact) => [
    artifact.name,
    artifact.role,
    formatBytes(artifact.sizeBytes),
    artifact.sha256.slice(0, 12),
  ]);
  return [
    ...table(
      'Attempts',
      [
        { header: '#' },
        { header: 'state' },
        { header: 'worker' },
        { header: 'took', align: 'right' },
        { header: 'resumed' },
        { header: 'error', minimum: 10 },
      ],
      attempts,
      terminal,
    ),
    ...table(
      `Artifacts (${run.artifacts.length}, ${formatBytes(totalBytes(run))})`,
      [{ header: 'name', minimum: 12 }, { header: 'role' }, { header: 'size', align: 'right' }, { header: 'sha256' }],
      artifacts,
      terminal,
    ),
    ...table('Events', [{ header: 'time' }, { header: 'what' }, { header: 'message', minimum: 16 }], events, terminal),
  ];
}
