import { assertNever } from '#src/base/lib/assertNever.ts';
import { csvLine } from '#src/base/lib/csvLine.ts';
import { type ConfigurationRecord, findConfigurations } from '#src/runs/store/configurationRecord.ts';
import { type PointColumns, readPointsAfter } from '#src/metrics/store/metricPoints.ts';
import { type LoggedText, listTextsAfter } from '#src/media/store/loggedTexts.ts';
import { listSeries, type SeriesRecord } from '#src/metrics/store/metricSeries.ts';
import { findProjects, type ProjectRecord } from '#src/projects/store/projectRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import { listRunTexts } from '#src/runs/store/runTexts.ts';
import { type ListRunsInput, listRuns } from '#src/runs/listRuns.ts';
import { withProgramParameters } from '#src/runs/programParameters.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

export interface ExportRunsInput extends Pick<ListRunsInput, 'project' | 'filter' | 'inTrash'> {
  /**
   * `jsonl`: one object per run, with its configuration, environment, every point in columns and every logged text; non-finite
   * values are the texts "NaN", "Infinity" and "-Infinity". `csv`: one line per point, and one per text, which has no value.
   */
  format: 'jsonl' | 'csv';
}

interface ExportedRun {
  run: RunRecord;
  project: ProjectRecord | undefined;
  configuration: ConfigurationRecord | undefined;
  series: SeriesRecord[];
}

const RUNS_AT_ONCE = 100;
/** Points held in memory at once: a series of any length passes piece by piece. */
const POINTS_AT_ONCE = 20_000;
/** Texts are at most 5,000 characters long. */
const TEXTS_AT_ONCE = 500;

const CSV_HEADER = [
  'run_number',
  'run_id',
  'project',
  'kind',
  'dataset',
  'seed',
  'state',
  'metric',
  'step',
  'value',
  'time',
  'text',
];

/**
 * All points of the runs that meet a filter, oldest run first, as pieces of text to be written one after another.
 * @throws WarrenError as `listRuns`, before the first piece.
 */
export async function* exportRuns(
  context: Pick<ServiceContext, 'db'>,
  input: ExportRunsInput,
): AsyncGenerator<string, void, undefined> {
  const runs = readRuns(context, input);
  const first = await runs.next();
  if (input.format === 'csv') yield csvLine(CSV_HEADER);
  for (let next = first; next.done !== true; next = await runs.next()) {
    switch (input.format) {
      case 'csv':
        yield* csvOf(context, next.value);
        break;
      case 'jsonl':
        yield* jsonOf(context, next.value);
        break;
      default:
        assertNever(input.format);
    }
  }
}

async function* readRuns(
  context: Pick<ServiceContext, 'db'>,
  { project, filter, inTrash }: ExportRunsInput,
): AsyncGenerator<ExportedRun, void, undefined> {
  const orderBy = { by: 'number', direction: 'ASC' } as const;
  let after: string | null = null;
  for (;;) {
    const page = await listRuns(context, { project, filter, inTrash, orderBy, first: RUNS_AT_ONCE, after });
    const runs = page.edges.map((edge) => edge.node);
    const ids = runs.map((run) => run.id);
    const hashes = [...new Set(runs.map((run) => run.configurationHash))];
    const [configurations, projects, series] = await Promise.all([
      findConfigurations(context.db, hashes),
      findProjects(context.db, [...new Set(runs.map((run) => run.projectId))]),
      listSeries(context.db, ids),
    ]);
    for (const run of runs) {
      yield {
        run,
        project: projects.find((one) => one.id === run.projectId),
        configuration: configurations.find((one) => one.hash === run.configurationHash),
        series: series.filter((one) => one.runId === run.id),
      };
    }
    if (!page.pageInfo.hasNextPage) return;
    after = page.pageInfo.endCursor;
  }
}

async function* readSeries(
  context: Pick<ServiceContext, 'db'>,
  series: SeriesRecord,
): AsyncGenerator<PointColumns, void, undefined> {
  let afterStep = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const columns = await readPointsAfter(context.db, series.id, { afterStep, limit: POINTS_AT_ONCE });
    if (columns.steps.length > 0) yield columns;
    if (columns.steps.length < POINTS_AT_ONCE) return;
    afterStep = columns.steps.at(-1)!;
  }
}

async function* readTexts(context: Pick<ServiceContext, 'db'>, runId: string): AsyncGenerator<LoggedText[]> {
  let after: LoggedText | null = null;
  for (;;) {
    const texts: LoggedText[] = await listTextsAfter(context.db, runId, { after, limit: TEXTS_AT_ONCE });
    if (texts.length > 0) yield texts;
    if (texts.length < TEXTS_AT_ONCE) return;
    after = texts.at(-1)!;
  }
}

async function* csvOf(context: Pick<ServiceContext, 'db'>, exported: ExportedRun): AsyncGenerator<string> {
  const { run, project, configuration } = exported;
  const common = [
    run.number,
    run.id,
    project?.name ?? '',
    configuration?.kind ?? '',
    configuration?.datasetName ?? '',
    run.seed,
    run.state,
  ];
  for (const series of exported.series) {
    for await (const { steps, values, times } of readSeries(context, series)) {
      const lines = steps.map((step, index) => {
        const time = new Date(times[index]!).toISOString();
        return csvLine([...common, series.name, step, values[index]!, time, '']);
      });
      yield lines.join('');
    }
  }
  for await (const texts of readTexts(context, run.id)) {
    yield texts
      .map(({ name, step, time, text }) => csvLine([...common, name, step, '', time.toISOString(), text]))
      .join('');
  }
}

async function* jsonOf(context: Pick<ServiceContext, 'db'>, exported: ExportedRun): AsyncGenerator<string> {
  const { run, project, configuration, series } = exported;
  const { id, number, name, tags, seed, state, attempt } = run;
  const [texts] = await listRunTexts(context.db, [run.id]);
  const { notes, environment } = texts ?? { notes: '', environment: {} };
  const shown = configuration && withProgramParameters(configuration, environment);
  const facts = {
    ...{ id, number, name, notes, tags, project: project?.name ?? null },
    ...{ kind: configuration?.kind ?? null, kindVersion: configuration?.kindVersion ?? null },
    ...{ dataset: configuration?.dataset ?? null, parameters: shown?.parameters ?? {} },
    ...{ configurationHash: run.configurationHash, seed, state, attempt },
    ...{ createdAt: run.createdAt, startedAt: run.startedAt, endedAt: run.endedAt },
    error: run.errorCode === null ? null : { code: run.errorCode, message: run.errorMessage },
    environment,
  };
  yield `${JSON.stringify(facts).slice(0, -1)},"metrics":{`;
  for (const [index, one] of series.entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(one.name)}:{`;
    for (const [position, column] of (['steps', 'values', 'times'] as const).entries()) {
      yield `${position > 0 ? ',' : ''}"${column}":[`;
      let written = false;
      for await (const columns of readSeries(context, one)) {
        yield `${written ? ',' : ''}${columns[column].map(jsonNumber).join(',')}`;
        written = true;
      }
      yield ']';
    }
    yield '}';
  }
  yield '},"texts":[';
  let written = false;
  for await (const page of readTexts(context, id)) {
    const entries = page.map((one) =>
      JSON.stringify({ name: one.name, step: one.step, text: one.text, time: one.time.getTime() }),
    );
    yield `${written ? ',' : ''}${entries.join(',')}`;
    written = true;
  }
  yield ']}\n';
}

function jsonNumber(value: number): string {
  return Number.isFinite(value) ? String(value) : `"${value}"`;
}
