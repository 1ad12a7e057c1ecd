import { randomBytes } from 'node:crypto';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { RunAttempt } from '#src/base/contracts/runAttempt.ts';
import { findAttemptByToken } from '#src/runs/store/attemptRecord.ts';
import { isUsedFile } from '#src/registry/store/versionUse.ts';
import { isRunInput } from '#src/runs/store/runInput.ts';
import { hashToken } from '#src/people/apiTokens.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

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
  /** Id of the run that the artifact belongs to; null where there is no such run, which is answered as one of others. */
  runId: string | null;
  name: string;
  /** The content that is asked for; null: what the run has now. */
  sha256: string | null;
}

/**
 * The attempt that a run's token belongs to, and that still holds its run.
 * @throws WarrenError UNAUTHENTICATED for an unknown token, CONFLICT when its attempt has ended.
 */
export async function attemptOfToken({ db }: Pick<ServiceContext, 'db'>, token: string): Promise<RunAttempt> {
  const attempt = await findAttemptByToken(db, hashToken(token));
  if (attempt === null) throw new WarrenError('UNAUTHENTICATED', 'this token of a run is unknown');
  if (!attempt.holds) throw new WarrenError('CONFLICT', `attempt ${attempt.number}, whose token this is, has ended`);
  return { runId: attempt.runId, number: attempt.number };
}

/**
 * Lets the holder of a run's token write its own artifacts, and read them, those that it takes as input, and the files of the
 * versions of its project that it is noted to have taken: of both the content that was registered, and no other.
 * @returns the attempt.
 * @throws WarrenError UNAUTHENTICATED for an unknown token, CONFLICT when its attempt has ended, FORBIDDEN for anything else.
 */
export async function checkRunToken(
  context: Pick<ServiceContext, 'db'>,
  token: string,
  { action, runId, name, sha256 }: ArtifactAccess,
): Promise<RunAttempt> {
  const attempt = await attemptOfToken(context, token);
  if (attempt.runId === runId) return attempt;
  if (runId !== null && action === 'read') {
    const wanted = { runId: attempt.runId, sourceRunId: runId, artifactName: name, sha256 };
    if ((await isRunInput(context.db, wanted)) || (await isUsedFile(context.db, wanted))) return attempt;
  }
  throw new WarrenError(
    'FORBIDDEN',
    'the token of a run opens its own artifacts, its inputs and the versions of its project that it uses, nothing else',
  );
}
