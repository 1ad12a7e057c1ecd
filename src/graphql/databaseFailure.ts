import { WarrenError } from '../base/contracts/errors.ts';
import { isOutOfView } from '../base/database/connection.ts';
import { isOutOfSpace, isStatementTimeout, isUnreachable } from '../base/graphql/isUnreachable.ts';

/** What a caller is told of a failure that is the database's and may pass; null for every other error. */
export function databaseFailure(error: unknown): WarrenError | null {
  if (isStatementTimeout(error)) {
    const advice = 'ask for fewer runs or points, or narrow the filter';
    return new WarrenError('TIMED_OUT', `the database ended this after its time limit: ${advice}`, { cause: error });
  }
  if (isOutOfSpace(error)) {
    const message = "the database's disk or memory is full: nothing can be written until its administrator makes room";
    return new WarrenError('UNAVAILABLE', message, { cause: error });
  }
  if (isOutOfView(error)) {
    return new WarrenError('FORBIDDEN', 'this token may not write there: it works in some projects alone', {
      cause: error,
    });
  }
  if (!isUnreachable(error)) return null;
  const message = 'the database cannot be reached, or has no connection free, at the moment; try again';
  return new WarrenError('UNAVAILABLE', message, { cause: error });
}
