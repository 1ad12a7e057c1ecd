import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { withVariables } from '#src/base/lib/withVariables.ts';
import { FinishRunDocument, HeartbeatDocument, type RunState } from '../generated/api.ts';
import { reasonOf, Refused, Unreachable } from '../core/failures.ts';
import type { Transport } from '../core/transport.ts';
import { warn } from '../core/warn.ts';
import type { NodeRun, StartedRun } from './startedRun.ts';
import { runsOfTrial, type Trial } from './trial.ts';

/** The trial that is executed, and the server that it is of. */
export interface AtTrial {
  trial: Trial;
  transport: Transport;
}

/** A method, so that its configuration may be declared with the parameters of the sweep. */
interface Trains {
  train(config: object, run: NodeRun): unknown;
}

/** Is called for a trial. */
export type TrialFunction = Trains['train'];

/** Ctrl-C, while a trial was under way. */
export class Interrupted extends Error {}

/** The server gives a run up that it has not heard of for three times as long. */
const HEARTBEAT_MS = 20_000;

/** Calls a function for a trial, and ends its run as the function ends. @throws Interrupted */
export async function callForTrial(train: TrialFunction, at: AtTrial, open: () => Promise<StartedRun>): Promise<void> {
  const { trial } = at;
  let opened: StartedRun;
  try {
    opened = await open();
  } catch (error) {
    warn(`trial ${trial.number} has failed: ${textOf(error)}`);
    return await finishTrial(at, 'FAILED', textOf(error));
  }
  let error: unknown = null;
  try {
    const { run } = opened;
    // Ctrl-C ends a function that never awaits at once, as it ends any program
    await interruptible(train(run.config.all(), run));
  } catch (raised) {
    if (raised instanceof Interrupted) {
      for (const { run } of runsOfTrial) await run.cancel();
      throw raised;
    }
    error = raised;
  }
  const reason = error === null ? null : textOf(error);
  const stopped = runsOfTrial.map((started) => started.stopped()).find((how) => how !== null);
  if (stopped !== undefined) warn(`trial ${trial.number} was stopped: its run has ended (${stopped})`);
  else if (reason !== null) {
    console.error(error);
    warn(`trial ${trial.number} has failed: ${reason}`);
  }
  for (const { run } of runsOfTrial) await run.finish(reason === null ? {} : { error: reason });
}

/** Waits for what a function answers; Ctrl-C ends the wait. @throws Interrupted */
async function interruptible(answer: unknown): Promise<void> {
  if (!isPromise(answer)) return;
  let interrupt = (): void => {};
  const interrupted = new Promise<never>((_resolve, reject) => {
    interrupt = () => reject(new Interrupted('interrupted'));
  });
  process.on('SIGINT', interrupt);
  try {
    await Promise.race([answer, interrupted]);
  } finally {
    process.off('SIGINT', interrupt);
  }
}

function isPromise(answer: unknown): answer is PromiseLike<unknown> {
  return typeof answer === 'object' && answer !== null && 'then' in answer && typeof answer.then === 'function';
}

/**
 * Executes a program for a trial; where the program has not ended its run itself, its exit code does.
 * @throws Interrupted, and Error where it cannot be executed
 */
export async function executeForTrial(line: readonly string[], at: AtTrial): Promise<void> {
  const [command = '', ...parameters] = withVariables(line, process.env);
  const program = spawn(command, parameters, { stdio: 'inherit' });
  const keeper = setInterval(() => void keepAlive(at, () => program.kill('SIGTERM')), HEARTBEAT_MS);
  let isInterrupted = false;
  // the terminal interrupts the program, too
  const interrupt = (): void => {
    isInterrupted = true;
  };
  process.on('SIGINT', interrupt);
  try {
    const [code, signal]: unknown[] = await once(program, 'exit');
    if (isInterrupted) {
      await finishTrial(at, 'CANCELLED', null);
      throw new Interrupted('interrupted');
    }
    const failure = code === 0 ? null : `exit code ${code === null ? String(signal) : String(code)}`;
    await finishTrial(at, failure === null ? 'SUCCEEDED' : 'FAILED', failure);
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    await finishTrial(at, 'FAILED', `${command}: ${reasonOf(error)}`);
    throw new Error(`agent: ${[command, ...parameters].join(' ')} cannot be executed: ${reasonOf(error)}`);
  } finally {
    clearInterval(keeper);
    process.off('SIGINT', interrupt);
  }
}

/** Says that a trial lives while no run of this program does; stops it where the server has ended it. */
async function keepAlive({ trial, transport }: AtTrial, stop: () => void): Promise<void> {
  try {
    await transport.ask(HeartbeatDocument, { run: trial.runId });
  } catch (error) {
    if (error instanceof Refused && /CANCELLED|PRUNED/.test(error.message)) {
      warn(`trial ${trial.number} was stopped: ${error.message}`);
      stop();
    }
  }
}

/** Ends a run that its program has not ended. */
export async function finishTrial(
  { trial, transport }: AtTrial,
  state: RunState,
  message: string | null,
): Promise<void> {
  try {
    await transport.ask(FinishRunDocument, { run: trial.runId, state, message });
  } catch (error) {
    // it may have ended already
    if (error instanceof Refused && error.code !== 'CONFLICT')
      warn(`run ${trial.runId} is not ended: ${error.message}`);
    else if (error instanceof Unreachable) {
      warn(`${error.message}; run ${trial.runId} ends when nothing was heard of it for a while`);
    } else if (!(error instanceof Refused)) throw error;
  }
}

function textOf(raised: unknown): string {
  return raised instanceof Error ? `${raised.name}: ${raised.message}` : String(raised);
}
