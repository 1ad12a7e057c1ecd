import { randomBytes } from 'node:crypto';
import { WarrenError } from '../contracts/errors.ts';
import { findAttemptByToken } from '../store/attemptRecord.ts';
import { isRunInput } from '../store/runInput.ts';
import { hashToken } from './issueToken.ts';
import type { ServiceContext } from './serviceContext.ts';

const PREFIX = 'warren_run_';

/** A token for one attempt of one run. It is kept as its sha256 beside the attempt, and ends with it. */
export function newRunToken(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`;
}

/** Whether this is the token of an attempt rather than one that a person was given. */
export function isRunToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

export interface ArtifactAccess {
  action: 'read' | 'write';
  /** Id of the run that the artifact belongs to. */
  runId: string;
  name: string;
}

/**
 * Lets the holder of a run's token write its own artifacts, and read them and those that it takes as input.
 * @throws WarrenError UNAUTHENTICATED for an unknown token, CONFLICT when its attempt has ended, FORBIDDEN for anything else.
 */
export async function checkRunToken(
  { db }: Pick<ServiceContext, 'db'>,
  token: string,
  { action, runId, name }: ArtifactAccess,
): Promise<void> {
  const attempt = await findAttemptByToken(db, hashToken(token));
  if (attempt === null) throw new WarrenError('UNAUTHENTICATED', 'this token of a run is unknown');
  if (!attempt.holds) throw new WarrenError('CONFLICT', `attempt ${attempt.number}, whose token this is, has ended`);
  if (attempt.runId === runId) return;
  const input = { runId: attempt.runId, sourceRunId: runId, artifactName: name };
  if (action === 'read' && (await isRunInput(db, input))) return;
  throw new WarrenError('FORBIDDEN', 'the token of a run opens its own artifacts and its inputs, nothing else');
}
