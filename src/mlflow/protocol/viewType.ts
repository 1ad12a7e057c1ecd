import { badInput } from '#src/base/contracts/errors.ts';

const VIEWS: ReadonlyMap<unknown, boolean | null> = new Map<unknown, boolean | null>([
  ...([undefined, null, 'ACTIVE_ONLY', 1, '1'] as const).map((view) => [view, false] as const),
  ...(['DELETED_ONLY', 2, '2'] as const).map((view) => [view, true] as const),
  ...(['ALL', 3, '3'] as const).map((view) => [view, null] as const),
]);

/** Whether a view shows what is deleted; null where it shows all. @throws WarrenError BAD_INPUT. */
export function deletedOf(view: unknown): boolean | null {
  const deleted = VIEWS.get(view);
  if (deleted !== undefined) return deleted;
  throw badInput(`Invalid value ${JSON.stringify(view)} for a view, expected ACTIVE_ONLY, DELETED_ONLY or ALL`);
}
