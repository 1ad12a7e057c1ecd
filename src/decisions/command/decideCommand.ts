import { DECISION_CAUTION } from '#src/statistics/testWords.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import {
  CancelDecisionDocument,
  DecideComparisonDocument,
  type DecisionFragment,
  DecisionDocument,
  DecisionsDocument,
} from '#src/generated/api.ts';
import { askKeyed } from '#src/base/terminal/askKeyed.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import type { CommandContext } from '#src/base/terminal/commandContext.ts';
import { EXIT_FAILED } from '#src/base/terminal/reportFailure.ts';
import { TIMING } from '#src/base/platform/timing.ts';
import { decisionLines, decisionTable, lookLine } from './showDecision.ts';

export interface DecideOptions {
  /** The metric. */
  decide: string;
  alpha?: number;
  power?: number;
  atMost?: number;
  every?: number;
  spending?: string;
  firstSeed?: number;
  parallel?: number;
  /** False with --no-futility. */
  futility?: boolean;
  project?: string;
  /** False with --no-wait. */
  wait?: boolean;
  key?: string;
  json?: boolean;
}

/** The body of `warren compare A B --decide METRIC`: starts an adaptive comparison and follows it. */
export async function startDecision(
  context: CommandContext,
  references: readonly string[],
  { decide: metric, futility = true, wait = true, json = false, key: givenKey, ...options }: DecideOptions,
): Promise<void> {
  const [a, b, ...more] = references.map((reference) => reference.trim().replace(/^#/, ''));
  if (a === undefined || b === undefined || more.length > 0) {
    throw badInput(`--decide compares two: give two runs or configurations, received ${references.length}`, '--decide');
  }
  const { alpha, power, atMost, every, spending, firstSeed, parallel, project } = options;
  const plan = { alpha, power, atMost, every, spending, firstSeed, parallel, project };
  const api = await context.api();
  const given = Object.fromEntries(Object.entries(plan).filter(([, value]) => value !== undefined));
  const input = { a, b, metric, stopsFutile: futility, ...given };
  const { decideComparison: decision } = await askKeyed(
    (key) => api.request(DecideComparisonDocument, { input: { ...input, key } }),
    { ...context, key: givenKey },
  );
  if (!json) context.terminal.say(`warren: ${DECISION_CAUTION}`);
  if (wait) await follow(context, api, { decision, json });
  else print(context, decision, json);
}

/** The body of `warren decision show`. */
export async function showDecisionCommand(
  context: CommandContext,
  reference: string,
  { wait = false, json = false }: { wait?: boolean; json?: boolean },
): Promise<void> {
  const api = await context.api();
  const decision = await fetchDecision(api, decisionReference(reference));
  if (wait) await follow(context, api, { decision, json });
  else print(context, decision, json);
}

/** The body of `warren decision ls`. */
export async function listDecisionsCommand(
  context: CommandContext,
  { project, limit, json = false }: { project?: string; limit: number; json?: boolean },
): Promise<void> {
  const { terminal } = context;
  const api = await context.api();
  const { decisions } = await api.request(DecisionsDocument, { project: project ?? null, first: limit });
  if (json) terminal.print(JSON.stringify(decisions, null, 2));
  else if (decisions.length === 0) {
    terminal.say('warren: there are none yet; `warren compare A B --decide METRIC` starts one');
  } else terminal.print(decisionTable(decisions, terminal, new Date()).join('\n'));
}

/** The body of `warren decision cancel`. */
export async function cancelDecisionCommand(
  context: CommandContext,
  reference: string,
  { json = false }: { json?: boolean },
): Promise<void> {
  const api = await context.api();
  const { cancelDecision } = await api.request(CancelDecisionDocument, { id: decisionReference(reference) });
  print(context, cancelDecision, json);
}

/** A decision as people name it: `3`, `#3` or its id. */
function decisionReference(text: string): string {
  const trimmed = text.trim().replace(/^#/, '');
  if (/^\d{1,9}$/.test(trimmed) || /^[0-9a-f-]{36}$/i.test(trimmed)) return trimmed;
  throw badInput(
    `"${text}" is not a decision: give its number, such as 3, or its id; \`warren decision ls\` lists them`,
  );
}

async function fetchDecision(api: ApiClient, id: string): Promise<DecisionFragment> {
  const { decision } = await api.request(DecisionDocument, { id });
  if (decision === null)
    throw new WarrenError('NOT_FOUND', `there is no decision ${id}; \`warren decision ls\` lists them`);
  return decision;
}

function print({ terminal }: CommandContext, decision: DecisionFragment, json: boolean): void {
  terminal.print(json ? JSON.stringify(decision, null, 2) : decisionLines(decision, terminal).join('\n'));
}

/** Prints each look and what goes on meanwhile until the decision has ended; exit code 1 where it failed or was cancelled. */
async function follow(
  context: CommandContext,
  api: ApiClient,
  { decision, json }: { decision: DecisionFragment; json: boolean },
): Promise<void> {
  const { terminal } = context;
  const interruption = context.catchInterruption();
  let current = decision;
  let looks = 0;
  let said = '';
  while (!interruption.signal.aborted) {
    for (const look of current.looks.slice(looks)) terminal.say(lookLine(current, look));
    looks = current.looks.length;
    const line = underWay(current);
    if (line !== said && line !== '') terminal.say(terminal.colours.dim(line));
    said = line;
    if (current.endedAt !== null) break;
    await pause(TIMING.pollMs, null, { signal: interruption.signal }).catch(() => {});
    current = await fetchDecision(api, decision.id).catch((error: unknown) => {
      if (error instanceof WarrenError && error.code === 'UNAVAILABLE') return current;
      throw error;
    });
  }
  interruption.release();
  if (interruption.signal.aborted) {
    const advice = `\`warren decision cancel ${decision.number}\` stops it`;
    terminal.say(`warren: no longer waiting; decision ${decision.number} goes on. ${advice}.`);
    context.exitCode = interruption.exitCode();
    return;
  }
  print(context, current, json);
  if (current.state === 'FAILED' || current.state === 'CANCELLED') context.exitCode = EXIT_FAILED;
}

/** `decision #1: seed 4 of at most 20: #12 queued, #13 running`. */
function underWay({ number, pairs, state, atMost }: DecisionFragment): string {
  if (state !== 'RUNNING') return '';
  const open = pairs.filter(({ valueA, problem }) => valueA === null && problem === null);
  const runs = open.flatMap(({ runA, runB }) => [runA, runB]).flatMap((run) => run ?? []);
  const texts = runs.map((run) => `#${run.number} ${run.state.toLowerCase()}`);
  return `decision #${number}: pair ${pairs.length} of at most ${atMost}: ${texts.join(', ')}`;
}
