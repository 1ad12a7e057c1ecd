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
  TypedDocumentString,
} from '../generated/api.ts';
import { Refused } from './failures.ts';
import { numberOf, numberOrNull, rowsByStep, scanOf } from './history.ts';
import { pagesOf } from './pages.ts';
import { readGroups } from './readGroups.ts';
import type { Api, ReadRun, RunsQuery } from '../declarations/reading.mjs';
import { sweepOf, sweepsOf } from './readSweep.ts';
import type { Transport } from './transport.ts';
import { plainParameters } from './values.ts';
import { warn } from './warn.ts';

const PAGE = 50;
const MOST_SAMPLES = 20_000;
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
    run: (id) => runOf(transport, String(id).replace(/^#/, '')),
    groups: (by, query = {}) => readGroups(transport, typeof by === 'string' ? [by] : by, query),
    sweep: (id) => sweepOf(transport, String(id).replace(/^#/, ''), { runsOf, runOf }),
    sweeps: ({ project } = {}) => pagesOf(() => sweepsOf(transport, project ?? null, { runsOf, runOf })),
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

async function runOf(transport: Transport, id: string): Promise<ReadRun> {
  const { run } = await transport.ask(ReadRunByIdDocument, { id });
  if (run === null) throw new Error(`there is no run ${id} at ${transport.url}`);
  return readRun(transport, run);
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
    minimum: numberOrNull(metric.minimum),
    maximum: numberOrNull(metric.maximum),
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
        if (!series.some((one) => one.name === key)) tellUnknown(number, key);
      }
      return rowsByStep(series);
    },
    scanHistory: ({ keys } = {}) =>
      pagesOf(() => scanOf(transport, number, { keys, onUnknown: (key) => tellUnknown(number, key) })),
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

function tellUnknown(number: number, key: string): void {
  warnOnce(`run ${number} has no metric '${key}'`);
}

function warnOnce(message: string): void {
  if (told.has(message)) return;
  told.add(message);
  warn(message);
}
