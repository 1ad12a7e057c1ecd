import { WarrenError } from '#src/base/contracts/errors.ts';
import type { Connection } from '#src/base/database/connection.ts';
import {
  type DecisionRecord,
  findDecision as findDecisionRecord,
  listDecisionsBefore,
} from '#src/decisions/store/decisionRecord.ts';
import { findProjectByName } from '#src/projects/store/projectRecord.ts';
import { checkedInteger } from '#src/base/contracts/runFields.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const NUMBER = /^#?(\d{1,9})$/;

/** The decision of that id or number; null when there is none. */
export async function findDecision(context: { db: Connection }, reference: string): Promise<DecisionRecord | null> {
  const number = NUMBER.exec(reference)?.[1];
  if (number !== undefined) return await findDecisionRecord(context.db, { number: Number(number) });
  return UUID.test(reference) ? await findDecisionRecord(context.db, { id: reference }) : null;
}

/** As `findDecision`. @throws WarrenError NOT_FOUND when there is none. */
export async function requireDecision(context: { db: Connection }, reference: string): Promise<DecisionRecord> {
  const decision = await findDecision(context, reference);
  if (decision !== null) return decision;
  const why = `there is no decision "${reference.slice(0, 80)}"; give a decision's number (such as 3) or its id`;
  throw new WarrenError('NOT_FOUND', why, { path: 'id' });
}

/** Decisions of a project, or of all, the newest first. */
export async function listDecisions(
  context: { db: Connection },
  input: { project?: string | null | undefined; before?: number | null | undefined; first: number },
): Promise<DecisionRecord[]> {
  const first = checkedInteger(input.first, { path: 'first', minimum: 0, maximum: 500 });
  const before = input.before ?? null;
  if (input.project == null) return await listDecisionsBefore(context.db, { projectId: null, before, first });
  const project = await findProjectByName(context.db, input.project);
  if (project === null)
    throw new WarrenError('NOT_FOUND', `there is no project "${input.project}"`, { path: 'project' });
  return await listDecisionsBefore(context.db, { projectId: project.id, before, first });
}
