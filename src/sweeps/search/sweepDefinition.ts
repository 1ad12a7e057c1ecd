import { z } from 'zod';
import { describeIssues, listProblems } from '#src/catalog/describeIssues.ts';
import { metricDirection } from '#src/catalog/metricDirection.ts';
import { isOfTestData } from '#src/base/lib/testData.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { shownValue } from '#src/base/lib/shownValue.ts';
import { type EarlyStopping, earlyStoppingSchema } from './earlyStopping.ts';
import { type EarlyTerminate, earlyTerminateSchema, readEarlyTerminate } from './earlyTerminate.ts';
import { commandKeys, readSweepCommand, type SweepCommand, sweepCommandSchema } from './sweepCommand.ts';
import { SWEEP_METHODS } from './proposeTrial.ts';

const MOST_SEEDS = 100;
const MOST_CONCURRENT = 1_000;
const MOST_TRIALS = 1_000_000;
const MOST_HOURS = 100_000;
const MOST_EPOCHS = 1_000_000_000;

/** The kind of runs that programs of the user's own execute: agents take the trials of such a sweep one by one. */
export const AGENTS_KIND = 'external';

const name = z.string().trim().min(1).max(200);

const metricSchema = z.strictObject({
  name,
  goal: z.enum(['minimize', 'maximize']).optional(),
  /** The sweep ends when a trial's objective reaches it. */
  target: z.number().nullable().default(null),
  /** What of a series counts: its last value, as in W&B, or its best. */
  summary: z.enum(['last', 'best']).default('last'),
  /** W&B's; a failed trial always counts as the worst. */
  impute: z.enum(['latest', 'best', 'worst']).optional(),
  impute_while_running: z.enum(['latest', 'best', 'worst', 'false']).optional(),
});

const budgetSchema = z.strictObject({
  trials: z.int().min(1).max(MOST_TRIALS).nullable().default(null),
  untilNothingBetterIn: z.int().min(1).max(MOST_TRIALS).nullable().default(null),
  /** Since it was created; runs under way go on. */
  hours: z.number().positive().max(MOST_HOURS).nullable().default(null),
  /** Trained by all its runs together; runs under way go on. */
  epochs: z.int().min(1).max(MOST_EPOCHS).nullable().default(null),
});

const keysBelow = (path: string, { shape }: z.ZodObject): string[] => Object.keys(shape).map((key) => `${path}.${key}`);

/** The top of a sweep file: W&B's keys, and ours. Keys of W&B that mean nothing here are read and left alone. */
const fileSchema = z.strictObject({
  method: z.enum([...SWEEP_METHODS, 'bayes', 'custom']),
  metric: metricSchema.nullable().optional(),
  metrics: z.unknown().optional(),
  parameters: z.record(z.string(), z.unknown()),
  early_terminate: earlyTerminateSchema.nullable().optional(),
  run_cap: z.int().min(1).max(MOST_TRIALS).optional(),
  name: name.optional(),
  project: name.optional(),
  description: z.string().optional(),
  ...commandKeys,
  entity: z.unknown().optional(),
  controller: z.unknown().optional(),
  scheduler: z.unknown().optional(),
  job: z.unknown().optional(),
  image_uri: z.unknown().optional(),
  apiVersion: z.unknown().optional(),

  kind: name.optional(),
  preset: name.nullable().optional(),
  dataset: z
    .union([name, z.record(z.string(), z.unknown())], 'the name of a dataset, or an object with its name')
    .nullable()
    .optional(),
  seed: z.int().min(0).max(2_147_483_647).default(1),
  seeds: z
    .union(
      [z.int().min(1).max(MOST_SEEDS), z.array(z.int().min(0).max(2_147_483_647)).min(1).max(MOST_SEEDS)],
      'how many seeds, or a list of them such as [1, 2, 7]',
    )
    .default(1),
  concurrency: z.int().min(1).max(MOST_CONCURRENT).default(4),
  budget: budgetSchema.default({ trials: null, untilNothingBetterIn: null, hours: null, epochs: null }),
  allowTestObjective: z.boolean().default(false),
  priority: z.int().min(1).max(2_097_151).default(1000),
  maxAttempts: z.int().min(1).max(100).default(5),
  tags: z.array(z.string()).default([]),
});

/** A sweep as it is stored: what its controller needs beside the trials. */
export const sweepDefinitionSchema = z.object({
  method: z.enum(SWEEP_METHODS),
  metric: z
    .object({
      name: z.string(),
      goal: z.enum(['minimize', 'maximize']),
      target: z.number().nullable(),
      summary: z.enum(['last', 'best']),
    })
    .nullable(),
  /** As the file has them; `readSearchSpace` reads them. */
  parameters: z.record(z.string(), z.unknown()),
  kind: z.string(),
  preset: z.string().nullable(),
  dataset: z.unknown(),
  /** Of the sampler. */
  seed: z.number(),
  /** Of the runs: a trial has one with each, and its objective is their mean. */
  seeds: z.array(z.number()),
  /** Trials under way at once, at most. */
  concurrency: z.number(),
  budget: z.object({
    trials: z.number().nullable(),
    untilNothingBetterIn: z.number().nullable(),
    hours: z.number().nullable(),
    epochs: z.number().nullable().default(null),
  }),
  /** By which rule trials are stopped before their end; null for none. */
  earlyStopping: earlyStoppingSchema.nullable().default(null),
  /** The program that each trial executes, where `kind` is command; else null. */
  command: sweepCommandSchema.nullable().default(null),
  /** What an agent executes for a trial that has no function of its own, where `kind` is external; else null. */
  agentLine: z.array(z.string()).min(1).nullable().default(null),
  priority: z.number(),
  maxAttempts: z.number(),
  tags: z.array(z.string()),
});
export type SweepDefinition = z.infer<typeof sweepDefinitionSchema>;

export interface SweepFile {
  definition: SweepDefinition;
  name: string | null;
  project: string | null;
  /** What the file asks for and Warren does otherwise, or not at all. */
  warnings: string[];
}

type FileContent = z.output<typeof fileSchema>;

/**
 * Reads a sweep file: W&B's format unchanged, with the keys of ours that it lacks.
 * @throws WarrenError BAD_INPUT that says what is wrong, where, and what would be right.
 */
export function readSweepFile(given: unknown): SweepFile {
  if (isPlainObject(given) && typeof given.metric === 'string') {
    const metric = shownValue(given.metric);
    throw badInput(`metric: received ${metric}, expected an object with its name: { name: ${metric} }`, 'metric');
  }
  const parsed = fileSchema.safeParse(given);
  if (!parsed.success) {
    const known = Object.keys(fileSchema.shape);
    const inner = [...keysBelow('metric', metricSchema), ...keysBelow('budget', budgetSchema)];
    const problems = describeIssues(parsed.error.issues, {
      input: given,
      prefix: '',
      known,
      paths: () => [...known, ...inner],
    });
    throw badInput(listProblems(problems, 'the sweep'), problems[0]?.path);
  }
  const file = parsed.data;
  const warnings: string[] = [];
  const definition: SweepDefinition = {
    method: methodOf(file, warnings),
    metric: metricOf(file, warnings),
    parameters: file.parameters,
    kind: kindOf(file, warnings),
    preset: file.preset ?? null,
    dataset: file.dataset ?? null,
    seed: file.seed,
    seeds: seedsOf(file),
    concurrency: file.concurrency,
    budget: budgetOf(file),
    earlyStopping: null,
    command: null,
    agentLine: null,
    priority: file.priority,
    maxAttempts: file.maxAttempts,
    tags: file.tags,
  };
  if (definition.kind === 'command') definition.command = commandOf(file);
  else refuseCommandKeys(file);
  if (definition.kind === AGENTS_KIND) definition.agentLine = agentLineOf(file);
  checkMetricNeeds(definition);
  if (file.early_terminate != null) {
    definition.earlyStopping = stoppingOf(file.early_terminate, definition.metric);
    if (!file.allowTestObjective) refuseTestData(definition.earlyStopping.metric, 'early_terminate.metric');
  }
  if (definition.method !== 'grid' && Object.values(definition.budget).every((limit) => limit === null)) {
    warnings.push('no run_cap and no budget: the sweep goes on until you pause or cancel it');
  }
  return { definition, name: file.name ?? null, project: file.project ?? null, warnings };
}

function methodOf({ method }: FileContent, warnings: string[]): SweepDefinition['method'] {
  if (method === 'custom') {
    throw badInput('method: custom schedulers are not known here; there are grid, random, sobol, tpe', 'method');
  }
  if (method !== 'bayes') return method;
  warnings.push('method bayes: Warren’s Bayesian sampler is tpe, which is used');
  return 'tpe';
}

/** What is queued: a kind, or a program. W&B's own file may say `kind: sweep`, which names neither. */
function kindOf({ kind, program, command }: FileContent, warnings: string[]): string {
  const named = kind === 'sweep' ? undefined : kind;
  const given = [...(program === undefined ? [] : ['program']), ...(command === undefined ? [] : ['command'])];
  if (named === undefined) {
    if (given.length > 0) return 'command';
    throw badInput('kind: expected the kind of run to sweep over, such as sasrec, or the command to execute', 'kind');
  }
  if (given.length > 0 && named !== 'command' && named !== AGENTS_KIND) {
    warnings.push(`${given.join(' and ')}: left alone, runs of kind ${named} are queued`);
  }
  return named;
}

/** What agents of a sweep execute, which may be nothing. @throws WarrenError BAD_INPUT for keys that have no meaning for them. */
function agentLineOf(file: FileContent): string[] | null {
  if (file.preset != null) throw badInput('preset: has no meaning for trials that agents execute', 'preset');
  if (file.dataset != null && typeof file.dataset !== 'string') {
    throw badInput('dataset: expected the name of a dataset, since agents execute the trials', 'dataset');
  }
  return file.command === undefined && file.program === undefined ? null : readSweepCommand(file).line;
}

/** The program of a sweep over one. @throws WarrenError BAD_INPUT for keys that only a kind has. */
function commandOf(file: FileContent): SweepCommand {
  if (file.command === undefined && file.program === undefined) {
    throw badInput('command: expected program and arguments', 'command');
  }
  const foreign = file.preset != null ? 'preset' : file.dataset != null ? 'dataset' : null;
  if (foreign !== null) throw badInput(`${foreign}: has no meaning for a program of your own`, foreign);
  return readSweepCommand(file);
}

function refuseCommandKeys(file: FileContent): void {
  const { program: _, command: __, ...others } = commandKeys;
  const given = Object.keys(others).find((key) => file[key as keyof typeof others] !== undefined);
  if (given !== undefined) throw badInput(`${given}: is for programs of your own, which have a command`, given);
}

function metricOf(file: FileContent, warnings: string[]): SweepDefinition['metric'] {
  if (file.metrics !== undefined) throw badInput('metrics: a sweep has one objective here: give metric', 'metrics');
  const { metric } = file;
  if (metric == null) return null;
  if (!file.allowTestObjective) refuseTestData(metric.name, 'metric.name');
  const direction = metricDirection(metric.name);
  const goal = metric.goal ?? (direction === 'higher' ? 'maximize' : 'minimize');
  if (direction !== null && (direction === 'higher') !== (goal === 'maximize')) {
    warnings.push(`metric.goal: ${goal} ${metric.name}, of which ${direction} values are better`);
  }
  return { name: metric.name, goal, target: metric.target, summary: metric.summary };
}

/** Whoever chooses by the test data, or stops trials by it, has no test data left. */
function refuseTestData(metric: string, path: string): void {
  if (!isOfTestData(metric)) return;
  const why = 'the best trial would be chosen on the test data, and its test score would say nothing about new data';
  const instead = 'choose by a valid/… metric and then `warren sweep confirm` the best';
  throw badInput(
    `${path}: ${metric} is measured on the test data: ${why}; ${instead}. allowTestObjective: true overrides`,
    path,
  );
}

function seedsOf({ seeds }: FileContent): number[] {
  const list = typeof seeds === 'number' ? Array.from({ length: seeds }, (_, index) => index + 1) : seeds;
  if (new Set(list).size < list.length) throw badInput('seeds: a seed is given twice', 'seeds');
  return list;
}

function budgetOf({ budget, run_cap }: FileContent): SweepDefinition['budget'] {
  const caps = [budget.trials, run_cap ?? null].filter((cap) => cap !== null);
  return { ...budget, trials: caps.length === 0 ? null : Math.min(...caps) };
}

function stoppingOf(given: EarlyTerminate, objective: SweepDefinition['metric']): EarlyStopping {
  const { metric } = given;
  if (metric === undefined) {
    if (objective === null) throw badInput('early_terminate: needs a metric', 'early_terminate.metric');
    const { name: own, goal, summary } = objective;
    return readEarlyTerminate(given, { metric: own, goal, summary });
  }
  const named = typeof metric === 'string' ? { name: metric } : metric;
  const usual = metricDirection(named.name) === 'higher' ? 'maximize' : 'minimize';
  return readEarlyTerminate(given, { metric: named.name, goal: named.goal ?? usual, summary: 'last' });
}

function checkMetricNeeds({ method, metric, budget }: SweepDefinition): void {
  if (metric !== null) return;
  const asker = method === 'tpe' ? 'method tpe' : budget.untilNothingBetterIn === null ? null : 'untilNothingBetterIn';
  if (asker !== null) throw badInput(`metric: ${asker} needs one, such as { name: valid/ndcg@10 }`, 'metric');
}
