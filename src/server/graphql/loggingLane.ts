import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { type DocumentNode, Kind, OperationTypeNode, parse, print } from 'graphql';
import { z } from 'zod';
import type { RunAttempt } from '#src/base/contracts/runAttempt.ts';
import { type CallerRole, mayDo } from '#src/base/graphql/context.ts';
import { LIMITS } from '#src/base/graphql/limits.ts';
import { logAtOnce, type MetricPointsInput } from '#src/external/logExternal.ts';
import type { ServicesOf } from '../access/callerServices.ts';
import type { Instruments } from '../observe/instruments.ts';

// Programs send `logMetrics` more often than everything else together, nearly always as the same document with variables: the
// graph of the schema has nothing to decide there, and takes longer than the database. What is out of the ordinary in any
// way is left to GraphQL, which says what is wrong with it.

/** Names in a document that asks for nothing but `logMetrics` with variables. */
interface LoggingDocument {
  operationName: string | null;
  /** The field's name in the answer. */
  answer: string;
  runId: string;
  series: string;
}

const MOST_DOCUMENTS = 100;
const LONGEST_DOCUMENT = 1_000;
const VARIABLE_TYPES: Readonly<Record<string, string>> = { runId: 'ID!', series: '[MetricPointsInput!]!' };
const PLAIN_ANSWERS = new Set<unknown>([undefined, '*/*', 'application/json']);
const NON_FINITE = new Map<unknown, number>([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

const bodySchema = z.strictObject({
  query: z.string().max(LONGEST_DOCUMENT),
  variables: z.record(z.string(), z.unknown()),
  operationName: z.string().nullish(),
});

/** A call of `logMetrics` whose points can be written. */
export interface LoggingCall {
  runId: string;
  series: MetricPointsInput[];
  /** The field's name in the answer. */
  answer: string;
}

export interface LoggingLane {
  /** The call in the body of a request; null for everything else, which is left to GraphQL. */
  read(body: unknown): LoggingCall | null;
  /**
   * Writes the points of a call at once.
   * @returns the body of the answer; null where that does not serve: nothing is written then, or the same call again changes nothing.
   */
  write(call: LoggingCall, caller: LoggingCaller): Promise<string | null>;
}

/** With the rights of the caller, and the attempt whose program it is. */
export type LoggingCaller = Parameters<ServicesOf>[0];

export function createLoggingLane(servicesOf: ServicesOf, instruments: Pick<Instruments, 'operation'>): LoggingLane {
  const documents = new Map<string, LoggingDocument | null>();

  function documentOf(query: string): LoggingDocument | null {
    const known = documents.get(query);
    if (known !== undefined) return known;
    if (documents.size >= MOST_DOCUMENTS) documents.clear();
    const found = loggingDocument(query);
    documents.set(query, found);
    return found;
  }

  return {
    read(given) {
      const body = bodySchema.safeParse(given).data;
      const document = body === undefined ? null : documentOf(body.query);
      if (body === undefined || document === null) return null;
      if (body.operationName != null && body.operationName !== document.operationName) return null;
      const runId = body.variables[document.runId];
      const series = readSeries(body.variables[document.series]);
      return typeof runId !== 'string' || series === null ? null : { runId, series, answer: document.answer };
    },
    async write({ runId, series, answer }, caller) {
      const { role, attempt } = caller.locals as { role: CallerRole; attempt?: RunAttempt };
      if (!mayDo(role, 'WRITE') || (attempt !== undefined && attempt.runId !== runId.toLowerCase())) return null;
      const startedMs = performance.now();
      const inserted = await logAtOnce(servicesOf(caller, 'write'), { runId, series }).catch(() => null);
      if (inserted === null) return null;
      instruments.operation('logMetrics', (performance.now() - startedMs) / 1000);
      return `${JSON.stringify({ data: { [answer]: inserted } })}\n`;
    },
  };
}

/** Whether the caller takes JSON as every caller does. */
export function takesJson({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return PLAIN_ANSWERS.has(headers.accept);
}

/** Answers calls that can be written at once; all others go on to GraphQL. For behind the check of the caller. */
export function loggingHandler(lane: LoggingLane): RequestHandler {
  return async (request, response, next) => {
    const call = request.method === 'POST' && takesJson(request) ? lane.read(request.body) : null;
    const answer = call === null ? null : await lane.write(call, response);
    if (answer === null) return next();
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(answer);
  };
}

/** Null for every document that is anything else, or wrong. */
function loggingDocument(query: string): LoggingDocument | null {
  let document: DocumentNode;
  try {
    document = parse(query, { maxTokens: LIMITS.tokens, noLocation: true });
  } catch {
    return null;
  }
  const [operation, ...others] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION || others.length > 0) return null;
  const { selectionSet, variableDefinitions = [], directives = [] } = operation;
  const [field, ...more] = selectionSet.selections;
  if (operation.operation !== OperationTypeNode.MUTATION || directives.length > 0 || more.length > 0) return null;
  if (field?.kind !== Kind.FIELD || field.name.value !== 'logMetrics' || field.selectionSet !== undefined) return null;
  const fieldArguments = field.arguments ?? [];
  if ((field.directives ?? []).length > 0 || fieldArguments.length !== 2 || variableDefinitions.length !== 2)
    return null;
  const variables = new Map<string, string>();
  for (const { name, value } of fieldArguments) {
    const type = VARIABLE_TYPES[name.value];
    if (type === undefined || value.kind !== Kind.VARIABLE) return null;
    const definition = variableDefinitions.find(({ variable }) => variable.name.value === value.name.value);
    if (definition === undefined || definition.defaultValue !== undefined || print(definition.type) !== type)
      return null;
    if ((definition.directives ?? []).length > 0) return null;
    variables.set(name.value, value.name.value);
  }
  const [runId, series] = [variables.get('runId'), variables.get('series')];
  if (runId === undefined || series === undefined || runId === series) return null;
  const answer = field.alias?.value ?? field.name.value;
  return { operationName: operation.name?.value ?? null, answer, runId, series };
}

/** Points as the schema has them; null where anything is not of its type. */
function readSeries(given: unknown): MetricPointsInput[] | null {
  if (!Array.isArray(given)) return null;
  const found: MetricPointsInput[] = [];
  for (const one of given as unknown[]) {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return null;
    const { name, steps, values, times = null, ...others }: Record<string, unknown> = { ...one };
    if (typeof name !== 'string' || Object.keys(others).length > 0) return null;
    if (!isList(steps, isStep) || (times !== null && !isList(times, Number.isFinite))) return null;
    const read = readValues(values);
    if (read === null) return null;
    found.push({ name, steps, values: read, times });
  }
  return found;
}

function isList(given: unknown, isRight: (value: unknown) => boolean): given is number[] {
  return Array.isArray(given) && given.every(isRight);
}

function isStep(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 2 ** 53;
}

function readValues(given: unknown): number[] | null {
  if (!Array.isArray(given)) return null;
  const values: number[] = [];
  for (const value of given as unknown[]) {
    const read = typeof value === 'number' && Number.isFinite(value) ? value : NON_FINITE.get(value);
    if (read === undefined) return null;
    values.push(read);
  }
  return values;
}
