import { z } from 'zod';
import type { Connection } from '#src/base/database/connection.ts';
import { jsonObject, queryRows } from '#src/base/database/queryRows.ts';

const confirmationRow = z.object({ seed: z.int(), trial: z.int(), point: jsonObject });

/** A trial that an agent is to execute once more, with a seed that its sweep has not used. */
export type Confirmation = z.infer<typeof confirmationRow>;

/** Has agents confirm a trial with seeds that its sweep has not used. */
export async function insertConfirmations(
  connection: Connection,
  { seeds, ...common }: { sweepId: string; trial: number; seeds: readonly number[]; callId: string | null },
): Promise<void> {
  await connection.sweepConfirmation.createMany({ data: seeds.map((seed) => ({ ...common, seed })) });
}

/** Whether a call has had agents confirm a trial. */
export async function hasConfirmations(
  connection: Connection,
  { sweepId, callId }: { sweepId: string; callId: string },
): Promise<boolean> {
  return (await connection.sweepConfirmation.count({ where: { sweepId, callId } })) > 0;
}

/**
 * Confirmations of a sweep that no run holds, by seed: no agent has taken them, or the run of the one that did crashed, and
 * they were taken fewer than `maxAttempts` times.
 */
export async function listUntakenConfirmations(
  connection: Connection,
  sweepId: string,
  maxAttempts: number,
): Promise<Confirmation[]> {
  return await queryRows(connection, confirmationRow)`
    SELECT wanted.seed, wanted.trial, trial.point FROM sweep_confirmation wanted
    JOIN sweep_trial trial ON trial.sweep_id = wanted.sweep_id AND trial.number = wanted.trial
    LEFT JOIN run ON run.id = wanted.run_id
    WHERE wanted.sweep_id = ${sweepId}::uuid
      AND (wanted.run_id IS NULL OR run.state = 'CRASHED' AND wanted.tries < ${maxAttempts}::int)
    ORDER BY wanted.seed`;
}

/** The confirmation that a run executes; null where it executes none. */
export async function findConfirmationOf(connection: Connection, runId: string): Promise<Confirmation | null> {
  const [row] = await queryRows(connection, confirmationRow)`
    SELECT run.seed, wanted.trial, trial.point FROM run
    JOIN sweep_confirmation wanted ON wanted.sweep_id = run.sweep_id AND wanted.seed = run.seed
    JOIN sweep_trial trial ON trial.sweep_id = wanted.sweep_id AND trial.number = wanted.trial
    WHERE run.id = ${runId}::uuid AND run.sweep_trial IS NULL`;
  return row ?? null;
}

/** Writes down which run executes a confirmation. */
export async function holdConfirmation(
  connection: Connection,
  { sweepId, seed, runId }: { sweepId: string; seed: number; runId: string },
): Promise<void> {
  await connection.sweepConfirmation.update({
    where: { sweepId_seed: { sweepId, seed } },
    data: { runId, tries: { increment: 1 } },
  });
}

/** Drops the confirmations of a sweep that no agent has taken. */
export async function dropUntakenConfirmations(connection: Connection, sweepId: string): Promise<void> {
  await connection.sweepConfirmation.deleteMany({ where: { sweepId, runId: null } });
}
