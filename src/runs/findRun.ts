import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { findRunsById, findRunsByNumber, type RunRecord } from '#src/runs/store/runRecord.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NUMBER = /^#?(\d{1,9})$/;

/** Whether `reference` may name a run: its id, or its number with or without `#`. */
export function isRunReference(reference: string): boolean {
  return UUID.test(reference) || NUMBER.test(reference);
}

/** The run of that id or number, in the trash or not; null when there is none. */
export async function findRun(context: Pick<ServiceContext, 'db'>, reference: string): Promise<RunRecord | null> {
  const [run = null] = await resolveRuns(context.db, [reference]);
  return run;
}

/** As `findRun`. @throws WarrenError NOT_FOUND when there is none. */
export async function requireRun(
  context: Pick<ServiceContext, 'db'>,
  reference: string,
  path = 'id',
): Promise<RunRecord> {
  const run = await findRun(context, reference);
  if (run === null) throw new WarrenError('NOT_FOUND', whyNoRun(reference), { path });
  return run;
}

/** The runs of these ids and numbers, null where there is none, in the order given. */
export async function resolveRuns(
  connection: Connection,
  references: readonly string[],
): Promise<(RunRecord | null)[]> {
  const ids = references.filter((reference) => UUID.test(reference)).map((id) => id.toLowerCase());
  const byId = new Map((await findRunsById(connection, [...new Set(ids)])).map((run) => [run.id, run]));
  const numbers = references.map((reference) => Number(NUMBER.exec(reference)?.[1] ?? Number.NaN));
  const found = await findRunsByNumber(connection, [...new Set(numbers.filter(Number.isInteger))]);
  const byNumber = new Map(found.map((run) => [run.number, run]));
  return references.map(
    (reference, index) => byNumber.get(numbers[index]!) ?? byId.get(reference.toLowerCase()) ?? null,
  );
}

/** Why a reference found no run, for people. */
export function whyNoRun(reference: string): string {
  if (isRunReference(reference)) return `there is no run ${reference}`;
  return `"${reference.slice(0, 80)}" names no run; give a run's number (such as 12) or its id`;
}

/** @throws WarrenError BAD_INPUT when an action is asked for on no run, or on more than 1000. */
export function checkReferences(references: readonly string[], path = 'ids'): void {
  if (references.length === 0) throw badInput(`${path}: expected at least one run, received none`, path);
  if (references.length > 1000) {
    throw badInput(`${path}: at most 1,000 runs at a time, received ${references.length}`, path);
  }
}

/**
 * Runs, as they were named.
 * @param references Ids or numbers, 1,000 at most.
 * @throws WarrenError BAD_INPUT where one of them is not there, none is named, or too many are.
 */
export async function requireRuns(
  { db }: Pick<ServiceContext, 'db'>,
  references: readonly string[],
  path = 'runIds',
): Promise<RunRecord[]> {
  checkReferences(references, path);
  const runs = await resolveRuns(db, references);
  return runs.map((run, index) => {
    if (run === null) throw badInput(`${path}[${index}]: ${whyNoRun(references[index]!)}`, `${path}[${index}]`);
    return run;
  });
}
