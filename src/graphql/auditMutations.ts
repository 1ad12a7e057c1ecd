import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import { toErrorRecord } from '#src/base/contracts/errors.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { recordAct } from '#src/audit/auditLog.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';

/** What programs ask for, again and again, and what runs themselves tell anyhow. */
const BY_PROGRAMS = new Set([
  ...['createRun', 'forkRun', 'resumeRun', 'finishRun', 'importRun', 'addParameters', 'logMetrics', 'logLines'],
  ...['logMedia', 'defineMetrics', 'heartbeat', 'raiseAlert', 'takeTrial'],
]);

/** Arguments that are written down: none that may hold a secret, as parameters, commands, notes and files may. */
const SHOWN_ARGUMENTS = new Set([
  ...[
    'action',
    'addTags',
    'afterStep',
    'atMost',
    'days',
    'dryRun',
    'expected',
    'expiresAt',
    'filter',
    'grants',
    'inTrash',
  ],
  ...[
    'isDefault',
    'keep',
    'keepTokens',
    'kind',
    'metric',
    'name',
    'olderThanDays',
    'preset',
    'priority',
    'project',
    'projects',
    'removeTags',
    'report',
    'role',
    'runs',
  ],
  ...[
    'seeds',
    'state',
    'tags',
    'title',
    'toProject',
    'trial',
    'worker',
    'email',
    'enabled',
    'user',
    'disabled',
    'withdraw',
    'mayQueueCommands',
  ],
]);
const LONGEST = 200;
const MOST_ITEMS = 20;

/** Writes every change that people make by a mutation down: once it is done or refused, one row for each field. */
export function auditMutations(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    if (BY_PROGRAMS.has(field.name)) continue;
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = async (source, args: Record<string, unknown>, context: GraphqlContext, info) => {
      // a program that a worker executes is no person
      if (context.attempt !== undefined) return await resolve(source, args, context, info);
      try {
        const answer: unknown = await resolve(source, args, context, info);
        await write(context, { action: field.name, args, answer, result: changedNothing(answer) ? 'refused' : 'done' });
        return answer;
      } catch (error) {
        await write(context, { action: field.name, args, answer: null, result: toErrorRecord(error).code });
        throw error;
      }
    };
  }
}

/** Whether it was refused for each of the runs, or other things, that were named. */
function changedNothing(answer: unknown): boolean {
  if (Array.isArray(answer)) return answer.length > 0 && answer.every(isRefusal);
  return (
    isPlainObject(answer) &&
    Array.isArray(answer.changedIds) &&
    answer.changedIds.length === 0 &&
    Number(answer.refusedCount) > 0
  );
}

function isRefusal(value: unknown): boolean {
  return isPlainObject(value) && value.done === false;
}

interface Done {
  action: string;
  args: Readonly<Record<string, unknown>>;
  answer: unknown;
  result: string;
}

/** A change that was made stays made where this fails: then the caller gets its answer, and the log says what is missing. */
async function write(context: GraphqlContext, { action, args, answer, result }: Done): Promise<void> {
  const found: Found = { objects: [], count: 0, projectIds: new Set() };
  collect(answer, found, 0);
  const named = result === 'done' && found.count > 0 ? [] : references(args);
  try {
    await recordAct(context.allServices, {
      actor: context.actor,
      action,
      projectIds: [...found.projectIds],
      projectNames: namedProjects(args),
      objects: found.count > 0 ? found.objects : named,
      objectCount: found.count > 0 ? found.count : named.length,
      result,
      details: { ...shownArguments(args), ...endedWith(answer) },
      requestId: context.requestId,
    });
  } catch (error) {
    context.onAuditFailure(error, action);
  }
}

/** Tokens and links that ended with somebody's rights. */
function endedWith(answer: unknown): Record<string, unknown> {
  const ended = isPlainObject(answer) ? answer.ended : undefined;
  return isPlainObject(ended) ? { tokens: short(ended.tokens), links: short(ended.links) } : {};
}

interface Found {
  objects: string[];
  count: number;
  projectIds: Set<string>;
}

/** Records of the answer that belong to a project, or have a name alone, such as tokens. */
function collect(value: unknown, found: Found, depth: number): void {
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) collect(item, found, depth);
    return;
  }
  if (!isPlainObject(value) || isRefusal(value) || depth > 2) return;
  const { projectId, number, name, label, email, run, changedIds, grants } = value;
  if (typeof projectId === 'string') found.projectIds.add(projectId);
  if (Array.isArray(grants)) for (const grant of grants as unknown[]) collectProject(grant, found);
  if (Array.isArray(changedIds)) {
    found.objects.push(...changedIds.slice(0, MOST_ITEMS).map((id) => `run ${String(id)}`));
    found.count += changedIds.length;
  } else if (typeof number === 'number') {
    found.objects.push(`${number}`);
    found.count += 1;
  } else if (typeof name === 'string') {
    // people are written down by what they are called, as the command line does
    found.objects.push(typeof label === 'string' && typeof email === 'string' ? label : name);
    found.count += 1;
  } else if (run === undefined) {
    for (const member of Object.values(value)) collect(member, found, depth + 1);
  }
  if (run !== undefined) collect(run, found, depth + 1);
}

function collectProject(grant: unknown, { projectIds }: Found): void {
  if (isPlainObject(grant) && typeof grant.projectId === 'string') projectIds.add(grant.projectId);
}

/** Names of projects in the arguments. */
function namedProjects(args: Readonly<Record<string, unknown>>): string[] {
  const { input } = args;
  const given: Readonly<Record<string, unknown>> = isPlainObject(input) ? { ...args, ...input } : args;
  return [given.project, given.toProject].filter((one) => typeof one === 'string');
}

/** What the arguments name, where there is no answer that says. */
function references(args: Readonly<Record<string, unknown>>): string[] {
  const { input } = args;
  const given: Readonly<Record<string, unknown>> = isPlainObject(input) ? { ...args, ...input } : args;
  const named = [given.ids, given.runIds, given.id, given.runId].flat();
  return named.filter((one) => typeof one === 'string');
}

function shownArguments(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const input = args.input ?? {};
  const given = { ...args, ...(typeof input === 'object' ? input : {}) };
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) =>
      SHOWN_ARGUMENTS.has(name) && value != null ? [[name, short(value)]] : [],
    ),
  );
}

function short(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, LONGEST);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return (value as unknown[]).slice(0, MOST_ITEMS).map(short);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST_ITEMS)
      .map(([name, one]) => [name, short(one)]),
  );
}
