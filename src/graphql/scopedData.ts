import { type DataScope, keyOfScope, type ScopedDatabases } from '#src/base/platform/postgres/scopedDatabase.ts';
import type { Database } from '#src/base/platform/postgres/database.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { createSnapshots, type Snapshots } from '#src/base/graphql/snapshots.ts';
import type { ScopedData } from '#src/base/graphql/context.ts';

const MOST_KEPT = 50;

/** Services and snapshots of callers who may not see everything; those who see the same share them. */
export function createScopedData(
  services: ServiceContext,
  databases: ScopedDatabases,
): { of(scope: DataScope): ScopedData; forget(): void } {
  const snapshotsOf = new Map<string, { db: Database; snapshots: Snapshots }>();

  function snapshotsFor(scope: DataScope, db: Database): Snapshots {
    const key = keyOfScope(scope);
    const known = snapshotsOf.get(key);
    if (known !== undefined && known.db === db) return known.snapshots;
    if (snapshotsOf.size >= MOST_KEPT) snapshotsOf.clear();
    const snapshots = createSnapshots(db);
    snapshotsOf.set(key, { db, snapshots });
    return snapshots;
  }

  return {
    of(scope) {
      const db = databases.of(scope);
      return {
        services: { ...services, db },
        // asked for anew each time: one that was dropped is not told of changes
        get snapshots() {
          return snapshotsFor(scope, db);
        },
      };
    },
    forget() {
      for (const { snapshots } of snapshotsOf.values()) snapshots.forget();
    },
  };
}
