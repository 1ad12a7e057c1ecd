import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { userName } from '#src/base/lib/userName.ts';
import { TakeTrialDocument, type TakeTrialMutation } from '../generated/api.ts';
import { Refused, Unreachable } from '../core/failures.ts';
import { type Transport, transportTo } from '../core/transport.ts';
import { warn } from '../core/warn.ts';
import {
  type AtTrial,
  callForTrial,
  executeForTrial,
  finishTrial,
  Interrupted,
  type TrialFunction,
} from './executing.ts';
import type { NodeInitOptions } from './start.ts';
import type { StartedRun } from './startedRun.ts';
import { type Trial, underWay } from './trial.ts';

/** What `init` is told for each trial, but for what the sweep says. */
export interface AgentOptions extends Omit<NodeInitOptions, 'id' | 'resume' | 'mode' | 'project' | 'seed'> {
  /** Trials at most. */
  count?: number;
}

export interface Agent {
  server: string;
  token: string | null;
  count: number;
  /** Makes the run of the trial under way. */
  open(): Promise<StartedRun>;
}

/** Between two looks at a sweep that is paused. */
const PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 60_000;

type Offer = TakeTrialMutation['takeTrial'];
/** An offer of a trial to execute now. */
interface Taken {
  trial: Trial;
  point: unknown;
  line: readonly string[] | null;
}

/** Whether an agent is at work in this program: what a trial tells is told to the whole program. */
let isBusy = false;

/**
 * Executes trials of a sweep until it has no more, and answers how many.
 * @param train Is called for each; without it the program of the sweep is executed.
 * @throws Error where there is no such sweep, workers execute its trials, or another agent is at work in this program
 */
export async function executeTrials(
  sweep: string | number,
  train: TrialFunction | null,
  agent: Agent,
): Promise<number> {
  if (isBusy) throw new Error('agent: one is at work in this program already: start another program for another one');
  isBusy = true;
  try {
    return await executeAll(sweep, train, agent);
  } finally {
    isBusy = false;
  }
}

async function executeAll(
  sweep: string | number,
  train: TrialFunction | null,
  { server, token, count, open }: Agent,
): Promise<number> {
  const asked = String(sweep).replace(/^.*\//, '').replace(/^#/, '');
  const transport = transportTo(server, token);
  for (let done = 0; done < count; ) {
    const taken = await nextTrial(transport, asked);
    if (taken === null) return done;
    done += 1;
    const { trial, point, line } = taken;
    say(`trial ${trial.number} of sweep ${trial.sweep}: ${shown(point)}`);
    const at: AtTrial = { trial, transport };
    try {
      await underWay(trial, { calls: train !== null }, async () => {
        if (train !== null) return await callForTrial(train, at, open);
        if (line !== null) return await executeForTrial(line, at);
        await finishTrial(at, 'FAILED', 'the sweep names no program, and the agent has no function');
        throw new Error(`agent: sweep ${trial.sweep} names no program: give a function`);
      });
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      // a program that listens itself decides what becomes of it
      if (process.listenerCount('SIGINT') === 0) process.kill(process.pid, 'SIGINT');
      return done;
    }
  }
  return count;
}

/** Waits for a trial; null where the sweep has no more. */
async function nextTrial(transport: Transport, sweep: string): Promise<Taken | null> {
  const input = { sweep, runId: randomUUID(), user: userName() };
  let said = '';
  let pause = PAUSE_MS;
  for (;;) {
    let news: string;
    try {
      const { takeTrial: offer } = await transport.ask(TakeTrialDocument, { input });
      const taken = takenOf(offer);
      if (taken !== null) return taken;
      if (offer.outcome === 'ENDED') {
        say(`sweep ${sweep} has no more trials: ${offer.reason}`);
        return null;
      }
      news = `sweep ${sweep} is paused (${offer.reason}); the agent goes on when it is resumed`;
      pause = PAUSE_MS;
    } catch (error) {
      if (error instanceof Refused) throw new Error(`agent: ${error.message}`);
      if (!(error instanceof Unreachable)) throw error;
      news = `${error.message}; the agent asks again`;
      pause = Math.min(LONGEST_PAUSE_MS, pause * 1.5);
    }
    if (news !== said) warn(news);
    said = news;
    await sleep(pause);
  }
}

function takenOf({ outcome, trial: number, point, line, run }: Offer): Taken | null {
  if (outcome !== 'TAKEN' || run?.sweep == null || number == null) return null;
  const drawn = run.configuration?.parameters;
  const trial: Trial = {
    sweep: run.sweep.number,
    number,
    runId: run.id,
    project: run.project.name,
    seed: run.seed,
    drawn: isPlainObject(drawn) ? drawn : {},
  };
  return { trial, point, line: line ?? null };
}

function shown(point: unknown): string {
  const values = Object.entries(isPlainObject(point) ? point : {});
  return values
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

/** What is no warning, on stderr all the same: stdout is the program's. */
const say = warn;
