import { badInput } from '#src/base/contracts/errors.ts';
import { LIMITS } from './limits.ts';

/** Entries of a page where the caller leaves it open. */
export const DEFAULT_PAGE_SIZE = 50;

/**
 * How many entries a page may have: `first`, or the default where it is null.
 * @throws WarrenError BAD_INPUT when it is negative or above `maximum`.
 */
export function pageSize(first: number | null | undefined, maximum: number = LIMITS.pageSize): number {
  const size = first ?? DEFAULT_PAGE_SIZE;
  if (size < 0 || size > maximum) throw badInput(`first: received ${size}, expected 0 to ${maximum}`, 'first');
  return size;
}
