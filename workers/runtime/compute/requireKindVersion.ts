import { findKind } from '#src/catalog/kinds.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import type { ExecutorTask } from '#src/base/contracts/executorMessages.ts';

/**
 * Refuses a run of a newer version of its kind than this program has, whose numbers would be others than its configuration says.
 * @throws WarrenError CONFLICT that names both versions.
 */
export function requireKindVersion({ kind, kindVersion }: Pick<ExecutorTask, 'kind' | 'kindVersion'>): void {
  const known = findKind(kind)?.version;
  if (kindVersion === undefined || known === undefined || kindVersion <= known) return;
  const versions = `the run is of version ${kindVersion} of ${kind}, and this worker computes version ${known}`;
  throw new WarrenError('CONFLICT', `${versions}: update the worker, then retry the run`, { path: 'kind' });
}
