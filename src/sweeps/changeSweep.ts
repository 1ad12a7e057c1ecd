import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { invariant } from '#src/base/lib/invariant.ts';
import { type SweepDefinition, sweepDefinitionSchema } from '#src/sweeps/search/sweepDefinition.ts';
import { type Connection, inTransaction } from '#src/base/database/connection.ts';
import { sendNotifications } from '#src/base/database/sendNotifications.ts';
import { dropUntakenConfirmations } from '#src/sweeps/store/sweepConfirmation.ts';
import { lockSweep, type SweepRecord, updateSweep, wasExtendedBy } from '#src/sweeps/store/sweepRecord.ts';
import { checkedKey, keyedId } from '#src/runs/callKey.ts';
import { checkedInteger, refuseLongJson } from '#src/base/contracts/runFields.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { checkPoints } from './createSweep.ts';
import { driveSweep } from './driveSweep.ts';
import { requireSweep } from './findSweep.ts';
import { readSweep } from './sweepView.ts';
import { isPlainObject } from '#src/base/lib/plainObject.ts';

type Change = Parameters<typeof updateSweep>[2];

/** Changes a sweep under its lock, and then does what is to be done for it. Null leaves it as it is. */
async function changeSweep(
  context: ServiceContext,
  reference: string,
  change: (connection: Connection, sweep: SweepRecord) => Promise<Change | null>,
): Promise<SweepRecord> {
  const { id } = await requireSweep(context, reference);
  await inTransaction(context.db, async (connection) => {
    const sweep = await lockSweep(connection, id);
    invariant(sweep !== null, `sweep ${reference} is gone`);
    const changed = await change(connection, sweep);
    if (changed === null) return;
    await updateSweep(connection, id, changed);
    await sendNotifications(connection, [{ type: 'sweep', sweepId: id }]);
  });
  await driveSweep(context, id);
  return await requireSweep(context, id);
}

function conflict(message: string): WarrenError {
  return new WarrenError('CONFLICT', message, { path: 'id' });
}

/**
 * Draws no more trials until the sweep is resumed; runs under way go on. A paused sweep stays as it is.
 * @throws WarrenError NOT_FOUND, and CONFLICT when it has ended.
 */
export async function pauseSweep(context: ServiceContext, reference: string): Promise<SweepRecord> {
  return await changeSweep(context, reference, async (_, { state, number }) => {
    if (state === 'PAUSED') return null;
    if (state !== 'RUNNING') throw conflict(`sweep ${number} has ended already (${state})`);
    return { state: 'PAUSED', reason: 'paused by hand', ended: false };
  });
}

/**
 * Goes on with a paused sweep, also with one that paused because its trials failed.
 * @throws WarrenError NOT_FOUND, and CONFLICT when it has ended.
 */
export async function resumeSweep(context: ServiceContext, reference: string): Promise<SweepRecord> {
  return await changeSweep(context, reference, async (connection, sweep) => {
    if (sweep.state === 'RUNNING') return null;
    if (sweep.state !== 'PAUSED') {
      throw conflict(`sweep ${sweep.number} has ended (${sweep.state}); extend a finished one to draw more trials`);
    }
    const { trials } = await readSweep(connection, sweep);
    return { state: 'RUNNING', reason: '', ended: false, hopefulFrom: trials.length };
  });
}

/**
 * Ends a sweep and cancels those of its runs that have not ended. Its trials stay.
 * @throws WarrenError NOT_FOUND, and CONFLICT when it has finished.
 */
export async function cancelSweep(context: ServiceContext, reference: string): Promise<SweepRecord> {
  const sweep = await changeSweep(context, reference, async (connection, { id, state, number }) => {
    if (state === 'CANCELLED') return null;
    if (state === 'FINISHED') throw conflict(`sweep ${number} has finished already`);
    await dropUntakenConfirmations(connection, id);
    return { state: 'CANCELLED', reason: 'cancelled by hand', ended: false };
  });
  // runs that no worker had are cancelled by now, and the sweep with them
  await driveSweep(context, sweep.id);
  return await requireSweep(context, sweep.id);
}

export interface ExtendSweepInput {
  id: string;
  /** Trials beside those it has. */
  trials?: number | null | undefined;
  /** Hours beside those it has, counted from its creation. */
  hours?: number | null | undefined;
  /** Epochs beside those it has. */
  epochs?: number | null | undefined;
  concurrency?: number | null | undefined;
  /** Ends it after so many trials without a better one. */
  untilNothingBetterIn?: number | null | undefined;
  /** Parameters that are new, or that get other values; the others stay. Not for grids, whose points are numbered. */
  parameters?: unknown;
  /** The same call with the same key again adds nothing. */
  key?: string | null | undefined;
}

/**
 * Gives a sweep more to do; a finished one runs again.
 * @throws WarrenError NOT_FOUND, BAD_INPUT, and CONFLICT when it was cancelled.
 */
export async function extendSweep(context: ServiceContext, input: ExtendSweepInput): Promise<SweepRecord> {
  const call = checkedKey(input.key);
  return await changeSweep(context, input.id, async (connection, sweep) => {
    const callId = call === null ? null : keyedId('extend', sweep.id, call);
    if (callId !== null && (await wasExtendedBy(connection, { id: sweep.id, callId }))) return null;
    if (sweep.state === 'CANCELLED') throw conflict(`sweep ${sweep.number} was cancelled; create another`);
    const definition = extended(sweepDefinitionSchema.parse(sweep.definition), input);
    checkPoints(definition);
    const { trials } = await readSweep(connection, sweep);
    const isPaused = sweep.state === 'PAUSED';
    return {
      state: isPaused ? 'PAUSED' : 'RUNNING',
      reason: isPaused ? sweep.reason : '',
      ended: false,
      hopefulFrom: trials.length,
      definition,
      callId,
    };
  });
}

function extended(definition: SweepDefinition, input: ExtendSweepInput): SweepDefinition {
  const { trials, hours, epochs, concurrency, untilNothingBetterIn, parameters } = input;
  const changes = { trials, hours, epochs, concurrency, untilNothingBetterIn, parameters };
  if (Object.values(changes).every((change) => change == null)) {
    throw badInput(`nothing to extend it by: give at least one of ${Object.keys(changes).join(', ')}`);
  }
  const whole = (value: number, path: string, maximum: number) => checkedInteger(value, { path, minimum: 1, maximum });
  const budget = { ...definition.budget };
  if (trials != null) {
    if (budget.trials === null) throw badInput('trials: the sweep has no limit that could be raised', 'trials');
    budget.trials += whole(trials, 'trials', 1_000_000);
  }
  if (hours != null) {
    if (budget.hours === null) throw badInput('hours: the sweep has no limit that could be raised', 'hours');
    if (!(hours > 0 && hours <= 100_000)) throw badInput(`hours: received ${hours}, expected more than 0`, 'hours');
    budget.hours += hours;
  }
  if (epochs != null) {
    if (budget.epochs === null) throw badInput('epochs: the sweep has no limit that could be raised', 'epochs');
    budget.epochs += whole(epochs, 'epochs', 1_000_000_000);
  }
  if (untilNothingBetterIn != null) {
    if (definition.metric === null) throw badInput('untilNothingBetterIn: the sweep has no metric', 'metric');
    budget.untilNothingBetterIn = whole(untilNothingBetterIn, 'untilNothingBetterIn', 1_000_000);
  }
  return {
    ...definition,
    budget,
    concurrency: concurrency == null ? definition.concurrency : whole(concurrency, 'concurrency', 1_000),
    parameters: parameters == null ? definition.parameters : withParameters(definition, parameters),
  };
}

function withParameters({ method, parameters }: SweepDefinition, given: unknown): Record<string, unknown> {
  if (method === 'grid') {
    throw badInput('parameters: the points of a grid are numbered: create another sweep instead', 'parameters');
  }
  if (!isPlainObject(given)) {
    throw badInput('parameters: expected an object', 'parameters');
  }
  refuseLongJson(given, { path: 'parameters', most: 64 * 1024 });
  return { ...parameters, ...given };
}
