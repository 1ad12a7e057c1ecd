import { readFile, writeFile } from 'node:fs/promises';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { isFinal } from '#src/base/contracts/runState.ts';
import { printable } from '#src/base/lib/printable.ts';
import type { StudyFormat } from '#src/studies/exports/exportStudies.ts';
import { renewedDocument, reproductionsDocument } from '#src/studies/exports/reproductionsDocument.ts';
import { askKeyed } from '#src/base/terminal/askKeyed.ts';
import { fetchRuns } from '#src/runs/command/fetchRuns.ts';
import {
  exportStudy,
  fetchStudies,
  fetchStudy,
  planStudy,
  type ReproducedAnswer,
  reproduceStudy,
  type PlanAnswer,
} from './fetchStudies.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';
import { followToEnd } from '#src/runs/command/queueRuns.ts';
import { formatDuration } from '#src/base/terminal/formatNumber.ts';
import { renderTable } from '#src/base/terminal/table.ts';
import { studiesTable, studyLines } from './showStudy.ts';

/** How many runs are told at most, one a line. */
const SHOWN = 40;
const MINUTE_MS = 60_000;

type Told = Pick<PlanAnswer, 'minutes' | 'reused' | 'underWay' | 'left'>;

/** Tells what was queued, and what was not. */
function sayQueued(context: CommandContext, { queued, ...told }: ReproducedAnswer): void {
  sayCounts(context, `queued ${queued.length}`, { ...told, count: queued.length });
}

/** Tells which runs would be queued, and how long they take. */
function tellPlan(context: CommandContext, plan: PlanAnswer, json: boolean): void {
  const { terminal } = context;
  if (json) {
    terminal.print(JSON.stringify(plan, null, 2));
    return;
  }
  const { planned, ...told } = plan;
  sayCounts(context, `would queue ${planned.length}`, { ...told, count: planned.length });
  if (planned.length === 0) return;
  const rows = planned
    .slice(0, SHOWN)
    .map(({ arm, seed, budget, minutes, auditOf }) => [
      auditOf === null ? arm : `${arm}, again ${auditOf}`,
      String(seed),
      budget.toLowerCase(),
      formatDuration(minutes * MINUTE_MS),
    ]);
  const columns = [
    { header: 'RUN' },
    { header: 'SEED', align: 'right' as const },
    { header: 'BUDGET' },
    { header: 'ABOUT', align: 'right' as const },
  ];
  terminal.print(renderTable(columns, rows, { width: terminal.width(), styleHeader: terminal.colours.dim }).join('\n'));
  if (planned.length > SHOWN) terminal.say(terminal.colours.dim(`and ${planned.length - SHOWN} more; --json has all`));
}

function sayCounts(
  { terminal }: CommandContext,
  queued: string,
  { count, minutes, reused, underWay, left }: Told & { count: number },
): void {
  const parts = [
    count === 0 ? 'nothing to queue' : `${queued} (about ${formatDuration(minutes * MINUTE_MS)} of computing)`,
    ...(reused.length > 0 ? [`${reused.length} reused`] : []),
    ...(underWay.length > 0 ? [`${underWay.length} under way`] : []),
    ...(left.length > 0 ? [`${left.length} left out`] : []),
  ];
  terminal.say(`warren: ${parts.join(', ')}`);
  for (const reason of new Set(left.map((one) => one.reason))) {
    const arms = [...new Set(left.filter((one) => one.reason === reason).map(({ arm }) => arm))];
    const shown = `${arms.slice(0, 5).join(', ')}${arms.length > 5 ? ', …' : ''}`;
    terminal.say(terminal.colours.dim(`  left out: ${printable(shown)}: ${printable(reason)}`));
  }
}

export interface ReproduceOptions {
  rows?: string[];
  columns?: string[];
  seeds?: number[];
  budget?: { budget: 'quick' | 'paper' } | { minutes: number };
  fresh?: boolean;
  audit?: number;
  project?: string;
  dryRun?: boolean;
  show?: boolean;
  wait?: boolean;
  format?: 'md' | 'latex' | 'csv' | 'json';
  export?: string;
  key?: string;
  json?: boolean;
}

const FORMATS = { md: 'MARKDOWN', latex: 'LATEX', csv: 'CSV', json: 'JSON' } as const satisfies Record<
  string,
  StudyFormat
>;

/** The body of `warren reproduce`. */
export async function reproduceCommand(
  context: CommandContext,
  name: string | undefined,
  options: ReproduceOptions,
): Promise<void> {
  const api = await context.api();
  if (name === undefined && options.export !== undefined) {
    await exportAll(context, api, options.export);
  } else if (name === undefined) {
    await listStudies(context, api, options.json === true);
  } else {
    await oneStudy(context, api, { name, options });
  }
}

async function listStudies({ terminal }: CommandContext, api: ApiClient, json: boolean): Promise<void> {
  const studies = await fetchStudies(api);
  if (json)
    terminal.print(
      JSON.stringify(
        studies.map(({ cells, ...study }) => ({ ...study, cells: cells.length })),
        null,
        2,
      ),
    );
  else terminal.print(studiesTable(studies, terminal).join('\n'));
}

async function oneStudy(
  context: CommandContext,
  api: ApiClient,
  { name, options }: { name: string; options: ReproduceOptions },
): Promise<void> {
  const { terminal } = context;
  const { rows, columns, seeds, budget, fresh, audit, project, json = false, format } = options;
  const input = {
    name,
    rows: rows ?? null,
    columns: columns ?? null,
    seeds: seeds ?? null,
    ...budget,
    fresh: fresh ?? null,
    audit: audit ?? null,
    project: project ?? null,
  };
  if (options.dryRun === true) {
    tellPlan(context, await planStudy(api, input), json);
    return;
  }
  const done =
    options.show === true
      ? null
      : await askKeyed((key) => reproduceStudy(api, { ...input, key }), { ...context, key: options.key });
  if (done !== null) {
    sayQueued(context, done);
    if (options.wait === true && !(await waitFor(context, api, done))) return;
  }
  if (options.export !== undefined) {
    await exportOne(context, api, { name, file: options.export });
  } else if (format !== undefined) {
    terminal.print((await exportStudy(api, name, FORMATS[format])).trimEnd());
  } else if (json) {
    const study: unknown = JSON.parse(await exportStudy(api, name, 'JSON'));
    const queued = done?.queued.map(({ number }) => number) ?? [];
    const { reused = [], underWay = [], left = [], minutes = 0 } = done ?? {};
    terminal.print(JSON.stringify({ queued, reused, underWay, left, minutes, study }, null, 2));
  } else {
    terminal.print(studyLines(await fetchStudy(api, name), { rows, columns, screen: terminal }).join('\n'));
  }
  if (audit !== undefined && done !== null) await tellAudit(context, api, { name, done });
}

/** False where a person has ended the waiting. */
async function waitFor(context: CommandContext, api: ApiClient, done: ReproducedAnswer): Promise<boolean> {
  const others = await fetchRuns(api, done.underWay.map(String));
  const runs = [...done.queued, ...others];
  if (runs.length === 0) return true;
  if (!(await followToEnd(context, api, runs))) return false;
  const ended = await fetchRuns(
    api,
    runs.map(({ id }) => id),
  );
  for (const run of ended.filter(({ state }) => isFinal(state) && state !== 'SUCCEEDED')) {
    context.terminal.say(`warren: #${run.number} ${run.state.toLowerCase()}: ${printable(run.error?.message ?? '')}`);
    context.exitCode = EXIT_FAILED;
  }
  return true;
}

async function tellAudit(
  context: CommandContext,
  api: ApiClient,
  { name, done }: { name: string; done: ReproducedAnswer },
): Promise<void> {
  const { terminal } = context;
  const queued = new Set(done.queued.map(({ number }) => number));
  const audits = (await fetchStudy(api, name)).audits.filter(({ again }) => queued.has(again));
  const open = audits.filter(({ agrees }) => agrees === null).length;
  const differing = audits.filter(({ agrees }) => agrees === false);
  for (const { first, again, reason } of differing) {
    terminal.say(`warren: AUDIT: run ${again} differs from run ${first}: ${printable(reason)}`);
  }
  if (differing.length > 0) context.exitCode = EXIT_FAILED;
  else if (open > 0) terminal.say(`warren: ${open} audited runs have not ended; --wait says whether they differ`);
  else terminal.say(`warren: ${audits.length} runs computed again, all the same`);
}

async function exportAll({ terminal }: CommandContext, api: ApiClient, file: string): Promise<void> {
  const studies = await fetchStudies(api);
  const format = file.endsWith('.md') ? 'MARKDOWN' : file.endsWith('.json') ? 'JSON' : null;
  if (format === null)
    throw badInput(`--export: expected a file that ends in .md or .json, received "${file}"`, '--export');
  const begun = studies.filter(
    ({ cells, claims, state }) => state !== 'NOT_RUN' && state !== 'NOT_RUNNABLE' && cells.length + claims.length > 0,
  );
  const texts = new Map<string, string>();
  for (const { name } of begun) texts.set(name, await exportStudy(api, name, format));
  const text =
    format === 'MARKDOWN'
      ? reproductionsDocument(studies, { texts, date: new Date() })
      : `${JSON.stringify(
          [...texts.values()].map((one): unknown => JSON.parse(one)),
          null,
          2,
        )}\n`;
  await writeDocument(file, text);
  terminal.say(
    `warren: wrote ${begun.length} of ${studies.length} studies to ${file}; the others have no finished runs, or figures alone`,
  );
}

/** Writes one study anew into the document of all. */
async function exportOne(
  { terminal }: CommandContext,
  api: ApiClient,
  { name, file }: { name: string; file: string },
): Promise<void> {
  if (!file.endsWith('.md'))
    throw badInput(`--export of one study: expected a .md file, received "${file}"`, '--export');
  const before = await readFile(file, 'utf8').catch((error: unknown) => {
    throw badInput(
      `--export of one study renews a file that --export of all has written: ${String(error)}`,
      '--export',
    );
  });
  const texts = new Map([[name, await exportStudy(api, name, 'MARKDOWN')]]);
  const text = renewedDocument(before, await fetchStudies(api), { texts, date: new Date() });
  if (text === null) {
    throw badInput(
      `--export: ${file} is not as \`warren reproduce --export\` wrote it: restore it, or write all studies to another file`,
      '--export',
    );
  }
  await writeDocument(file, text);
  terminal.say(`warren: wrote ${name} anew in ${file}; the other studies stay as they were`);
}

async function writeDocument(file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error: unknown) => {
    throw new WarrenError('BAD_INPUT', `--export: ${file} cannot be written: ${String(error)}`, { path: '--export' });
  });
}
