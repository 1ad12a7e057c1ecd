import { isPlainObject } from '#src/base/lib/plainObject.ts';
import type { StartedRun } from './startedRun.ts';

/** A run that an agent has taken from a sweep. */
export interface Trial {
  sweep: number;
  number: number;
  runId: string;
  project: string;
  seed: number;
  /** The values that the sweep has drawn, nested. */
  drawn: Record<string, unknown>;
}

/** Tells the program, and the programs that it starts, of their trial; in the form of the Python client. */
const VARIABLE = 'WARREN_TRIAL';

/** The runs that `init` made of the trial under way; emptied when the next one begins. */
export const runsOfTrial: StartedRun[] = [];

let calls = false;

/** Whether an agent in this program calls a function for the trial under way. */
export function isAgentHere(): boolean {
  return calls;
}

/**
 * Within `work`, `init` makes the run of the trial, in programs that are started, too.
 * @param options.calls Whether the trial is a call of a function of this program.
 */
export async function underWay(trial: Trial, options: { calls: boolean }, work: () => Promise<void>): Promise<void> {
  runsOfTrial.length = 0;
  const before = [VARIABLE, 'WARREN_RUN_ID'].map((name) => [name, process.env[name]] as const);
  const { runId, ...rest } = trial;
  process.env[VARIABLE] = JSON.stringify({ ...rest, run_id: runId });
  process.env.WARREN_RUN_ID = runId;
  calls = options.calls;
  try {
    await work();
  } finally {
    calls = false;
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** The parameters with which the run was queued that a worker executes this program for. */
export function queuedHere(): Record<string, unknown> {
  const queued: unknown = JSON.parse(process.env.WARREN_PARAMETERS || '{}');
  return isPlainObject(queued) ? queued : {};
}

/** The trial that this program executes; null where it executes none. */
export function trialHere(): Trial | null {
  const text = process.env[VARIABLE];
  if (text === undefined || text === '') return null;
  const told: unknown = JSON.parse(text);
  if (!isPlainObject(told)) return null;
  const { sweep, number, run_id: runId, project, seed, drawn } = told;
  return {
    sweep: Number(sweep),
    number: Number(number),
    runId: String(runId),
    project: String(project),
    seed: Number(seed),
    drawn: isPlainObject(drawn) ? drawn : {},
  };
}
