import {
  CountRunsDocument,
  type ReadRunFragment,
  ReadFilesDocument,
  ReadHistoryDocument,
  ReadLogDocument,
  ReadProjectsDocument,
  ReadRunByIdDocument,
  ReadRunsDocument,
  type ReadRunsQuery,
  type ReadRunsQueryVariables,
  type RunState,
  TypedDocumentString,
} from '../generated/api.ts';
import { Refused } from './failures.ts';
import type { Transport } from './transport.ts';
import { plainParameters } from './values.ts';
import { warn } from './warn.ts';

export interface RunsQuery {
  /** Name of a project; all unless given. */
  project?: string;
  /** As in the dashboard and in `warren ls`: `state = SUCCEEDED and config.lr < 0.1`. */
  filter?: string;
  /** A field of filters, `-` before it for the greatest first: `-metric."test/ndcg@10"`. The newest first unless given. */
  order?: string;
}

/** What is read page by page as it is looked at, by `for await`; or all of it. */
export interface Pages<Entry> extends AsyncIterable<Entry> {
  all(): Promise<Entry[]>;
}

/** A metric of a run, summed up. */
export interface ReadMetric {
  name: string;
  /** The value that stands for it: the last unless the program said otherwise. */
  summary: number;
  lastValue: number;
  lastStep: number;
  minimum: number | null;
  maximum: number | null;
  pointCount: number;
}

export interface ReadFile {
  name: string;
  mediaType: string;
  sizeBytes: number;
  sha256: string;
  /** What `useArtifact` takes. */
  reference: string;
}

/** A step of curves: its number, its time in Unix milliseconds, and by name what was logged there. */
export interface HistoryRow {
  step: number;
  time: number;
  values: Record<string, number>;
}

/** A run that the server has, as it was when it was read. */
export interface ReadRun {
  id: string;
  number: number;
  url: string;
  name: string;
  state: RunState;
  tags: readonly string[];
  notes: string;
  user: string | null;
  seed: number;
  project: string;
  kind: string;
  dataset: string | null;
  /** Of all but the seed: runs that share it are replicates. */
  configurationHash: string;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  config: Record<string, unknown>;
  /** By metric the value that stands for it; the newest texts, too, of several at one step all. */
  summary: Record<string, number | string | readonly string[]>;
  metrics: readonly ReadMetric[];
  /** Its curves, one row a step. `keys`: these metrics alone. `samples`: points of a curve at most, up to 20,000; 500 unless given. */
  history(options?: { keys?: readonly string[]; samples?: number }): Promise<HistoryRow[]>;
  /** The lines of its log. */
  logs(): Pages<string>;
  /** The files that it has kept. */
  files(): Promise<ReadFile[]>;
}

/** What a server has. */
export interface Api {
  /** Runs that meet a filter, read page by page as they are looked at. */
  runs(query?: RunsQuery): Pages<ReadRun>;
  /** How many there are. */
  count(query?: Omit<RunsQuery, 'order'>): Promise<number>;
  /** The run with this id or number. @throws Error where there is none */
  run(id: string | number): Promise<ReadRun>;
  /** Names of the projects. */
  projects(): Promise<string[]>;
  /** The data of any other question; the server describes them at /explorer. @throws Refused, Unreachable */
  graphql(query: string, variables?: Readonly<Record<string, unknown>>): Promise<unknown>;
}

const PAGE = 50;
const MOST_SAMPLES = 20_000;
const NON_FINITE: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity, '-Infinity': -Infinity };
/** What was said before. */
const told = new Set<string>();

/** Reads from a server. */
export function apiOver(transport: Transport): Api {
  return {
    runs: (query = {}) => pagesOf(() => runsOf(transport, query)),
    async count({ project, filter } = {}) {
      const asked = { project: project ?? null, filter: filter ?? null };
      return (await transport.ask(CountRunsDocument, asked)).runs.totalCount;
    },
    async run(id) {
      const { run } = await transport.ask(ReadRunByIdDocument, { id: String(id).replace(/^#/, '') });
      if (run === null) throw new Error(`there is no run ${id} at ${transport.url}`);
      return readRun(transport, run);
    },
    async projects() {
      const names: string[] = [];
      for (let after: string | null = null; ; ) {
        const { projects }: { projects: ProjectPage } = await transport.ask(ReadProjectsDocument, { after });
        names.push(...projects.edges.map(({ node }) => node.name));
        if (!projects.pageInfo.hasNextPage) return names;
        after = projects.pageInfo.endCursor;
      }
    },
    graphql: (query, variables = {}) =>
      transport.ask(new TypedDocumentString<unknown, Readonly<Record<string, unknown>>>(query), variables),
  };
}

interface ProjectPage {
  edges: { node: { name: string } }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

function pagesOf<Entry>(read: () => AsyncGenerator<Entry, void, undefined>): Pages<Entry> {
  return {
    [Symbol.asyncIterator]: read,
    async all() {
      const entries: Entry[] = [];
      for await (const entry of read()) entries.push(entry);
      return entries;
    },
  };
}

async function* runsOf(
  transport: Transport,
  { project, filter, order = '-number' }: RunsQuery,
): AsyncGenerator<ReadRun, void, undefined> {
  const isDown = order.startsWith('-');
  const orderBy = { by: isDown ? order.slice(1) : order, direction: isDown ? ('DESC' as const) : ('ASC' as const) };
  const which = { project: project ?? null, filter: filter ?? null, orderBy, first: PAGE };
  for (let after: string | null = null; ; ) {
    const { runs }: ReadRunsQuery = await askRuns(transport, { ...which, after });
    for (const hint of runs.hints ?? []) warnOnce(`runs: ${hint}`);
    for (const { node } of runs.edges) yield readRun(transport, node);
    if (!runs.pageInfo.hasNextPage) return;
    after = runs.pageInfo.endCursor;
  }
}

/** A page of runs; without hints from a server before there were any. */
async function askRuns(transport: Transport, variables: ReadRunsQueryVariables): Promise<ReadRunsQuery> {
  try {
    return await transport.ask(ReadRunsDocument, variables);
  } catch (error) {
    if (!(error instanceof Refused && error.message.includes('"hints"'))) throw error;
    const older = ReadRunsDocument.toString().replace(/\bhints\b/, '');
    return await transport.ask(new TypedDocumentString<ReadRunsQuery, ReadRunsQueryVariables>(older), variables);
  }
}

async function* linesOf(transport: Transport, id: string): AsyncGenerator<string, void, undefined> {
  for (let after: string | null = null; ; ) {
    const page: LogPage | undefined = (await transport.ask(ReadLogDocument, { id, after })).run?.logs;
    for (const { text } of page?.lines ?? []) yield text;
    if (page?.hasMore !== true) return;
    after = page.cursor;
  }
}

function readRun(transport: Transport, fields: ReadRunFragment): ReadRun {
  const { id, number, name, state, tags, notes, user, seed, project, configuration, texts } = fields;
  const metrics = fields.metrics.map((metric) => ({
    ...metric,
    summary: numberOf(metric.summary),
    lastValue: numberOf(metric.lastValue),
    minimum: metric.minimum === null ? null : numberOf(metric.minimum),
    maximum: metric.maximum === null ? null : numberOf(metric.maximum),
  }));
  return {
    ...{ id, number, name, state, tags, notes, user, seed, metrics, project: project.name },
    url: `${transport.url}/runs/${number}`,
    kind: configuration.kind,
    dataset: configuration.datasetName,
    configurationHash: configuration.hash,
    createdAt: new Date(fields.createdAt),
    startedAt: fields.startedAt === null ? null : new Date(fields.startedAt),
    endedAt: fields.endedAt === null ? null : new Date(fields.endedAt),
    config: plainParameters(Object(configuration.parameters)),
    summary: Object.fromEntries([
      ...texts.map((one) => [one.name, one.texts.length === 1 ? one.texts[0]! : one.texts] as const),
      ...metrics.map((metric) => [metric.name, metric.summary] as const),
    ]),
    async history({ keys, samples = 500 } = {}) {
      const points = Math.max(1, Math.min(Math.trunc(samples), MOST_SAMPLES));
      const { run } = await transport.ask(ReadHistoryDocument, {
        id,
        names: keys === undefined ? null : [...keys],
        points,
      });
      const series = run?.history ?? [];
      for (const key of keys ?? []) {
        if (!series.some((one) => one.name === key)) warnOnce(`run ${number} has no metric '${key}'`);
      }
      return rowsByStep(series);
    },
    logs: () => pagesOf(() => linesOf(transport, id)),
    async files() {
      const { run } = await transport.ask(ReadFilesDocument, { id });
      return (run?.artifacts ?? []).map((file) => ({
        ...file,
        sizeBytes: Number(file.sizeBytes),
        reference: `${number}:${file.name}`,
      }));
    },
  };
}

interface LogPage {
  lines: { text: string }[];
  cursor: string | null;
  hasMore: boolean;
}

function rowsByStep(
  series: readonly { name: string; steps: readonly number[]; values: readonly unknown[]; times: readonly number[] }[],
): HistoryRow[] {
  const rows = new Map<number, HistoryRow>();
  for (const { name, steps, values, times } of series) {
    for (const [index, step] of steps.entries()) {
      const row = rows.get(step) ?? { step, time: 0, values: {} };
      row.time = Math.max(row.time, times[index] ?? 0);
      row.values[name] = numberOf(values[index]);
      rows.set(step, row);
    }
  }
  return [...rows.values()].sort((a, b) => a.step - b.step);
}

/** A value of a metric: the API names those that JSON has no number for. */
function numberOf(value: unknown): number {
  return typeof value === 'string' ? (NON_FINITE[value] ?? Number(value)) : Number(value);
}

function warnOnce(message: string): void {
  if (told.has(message)) return;
  told.add(message);
  warn(message);
}
