import { WarrenError } from '#src/base/contracts/errors.ts';
import { type Connection, sqlState } from '#src/base/database/connection.ts';
import { hasUnseenVersions } from '#src/registry/store/entryRecord.ts';
import { putAliases } from '#src/registry/store/versionAlias.ts';
import type { VersionRecord } from '#src/registry/store/versionRecord.ts';

// A model or dataset may have versions of several projects, of which a caller sees some alone.

/** @throws WarrenError FORBIDDEN where an entry has versions that the caller does not see. */
export async function refuseUnlessAllSeen(
  connection: Connection,
  entry: { id: string; name: string },
  what: 'renamed' | 'deleted',
): Promise<void> {
  if (!(await hasUnseenVersions(connection, entry.id))) return;
  throw new WarrenError(
    'FORBIDDEN',
    `${entry.name} has versions of other projects, too: it can be ${what} by those alone who see all of them`,
  );
}

const UNIQUE_VIOLATION = '23505';

/** Runs `change`, which renames an entry, and throws `taken` where an entry that it could not see has the name. */
export async function unlessNameTaken<Result>(change: Promise<Result>, taken: WarrenError): Promise<Result> {
  return await change.catch((error: unknown) => {
    throw sqlState(error) === UNIQUE_VIOLATION ? taken : error;
  });
}

/**
 * Points aliases to a version, away from where they pointed.
 * @throws WarrenError FORBIDDEN where one points to a version that the caller does not see.
 */
export async function pointAliases(
  connection: Connection,
  version: Pick<VersionRecord, 'id' | 'entryId'>,
  aliases: readonly string[],
): Promise<void> {
  if ((await putAliases(connection, version, aliases)) === aliases.length) return;
  const these =
    aliases.length === 1 ? `the alias "${aliases[0]}" points` : `one of the aliases ${aliases.join(', ')} points`;
  throw new WarrenError('FORBIDDEN', `${these} to a version of another project; choose another alias`, {
    path: 'alias',
  });
}
