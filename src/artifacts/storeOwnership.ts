import { randomUUID } from 'node:crypto';
import type { ArtifactStore } from '#src/base/platform/artifacts/artifactStore.ts';
import { anyReferenced } from '#src/artifacts/store/contentTotals.ts';
import { databaseIdentity } from '#src/base/database/databaseIdentity.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';

/**
 * Why nothing may be removed from the store, or null: what no artifact of this database refers to may be another
 * database's, when two were used with one store. The first database to use a store becomes its owner.
 */
export async function storeProblem(context: Pick<ServiceContext, 'db'>, store: ArtifactStore): Promise<string | null> {
  const own = await databaseIdentity(context.db);
  const owners = await store.owners.list();
  if (!owners.includes(own)) {
    if (owners.length === 0 && (await holdsForeignContent(context, store))) {
      const unknown = randomUUID();
      await store.owners.add(unknown);
      owners.push(unknown);
    }
    await store.owners.add(own);
    owners.push(own);
  }
  if (owners.length === 1) return null;
  const others = owners.filter((owner) => owner !== own).join(', ');
  return `another database used this artifact store, so nothing is removed from it; when that is gone for good, remove ${others} in ${store.owners.place}`;
}

/** Whether there is content, and this database knows none of it. */
async function holdsForeignContent({ db }: Pick<ServiceContext, 'db'>, store: ArtifactStore): Promise<boolean> {
  let holdsAny = false;
  for await (const { names } of store.list()) {
    if (await anyReferenced(db, names)) return false;
    holdsAny = true;
  }
  return holdsAny;
}
