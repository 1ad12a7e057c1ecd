import { z } from 'zod';
import { badInput, WarrenError } from '#src/base/contracts/errors.ts';
import { decodeNpyHeader, decodeNpyTable, LONGEST_NPY_HEADER } from '#src/base/contracts/npyTable.ts';
import {
  PER_USER_FILES,
  PER_USER_LIMITS,
  perUserMetricsSchema,
  perUserRanksSchema,
} from '#src/base/contracts/perUserArtifact.ts';
import { createBoundedCache } from '#src/base/lib/boundedCache.ts';
import type { UserGrouping } from '#src/statistics/userMetricName.ts';
import type { UserTable } from '#src/statistics/userValues.ts';

/** What a run left of each user, and of which users. */
export interface RunUserTable extends UserTable {
  part: 'test' | 'valid';
  fingerprint: string;
  /** The same list for the same file: comparing two of them is cheap. */
  users: readonly (string | number)[];
  /** (users) By what they can be grouped; null where the run left it not. */
  groupings: Readonly<Record<UserGrouping, readonly number[] | null>>;
}

/** A run, and those of its artifacts that tell of users: their sha256 by name. */
export interface RunUserFiles {
  number: number;
  files: Readonly<Record<string, string>>;
}

/** Where the bytes of artifacts come from. */
export interface ArtifactBytes {
  /** Null when it is not there. */
  size(sha256: string): Promise<number | null>;
  /** The first bytes, at most `limit`. */
  read(sha256: string, limit: number): Promise<Uint8Array>;
}

export interface UserTableReader {
  /** What the run left of each user. @throws WarrenError, which says why there is nothing that can be read. */
  read(run: RunUserFiles): Promise<RunUserTable>;
}

type Described = Pick<RunUserTable, 'part' | 'fingerprint' | 'users' | 'columns' | 'groupings'>;

/** Bytes of the descriptions that are kept: two of the longest. */
const MOST_KEPT = 2 * PER_USER_LIMITS.descriptionBytes;

const SCHEMAS = { ranks: perUserRanksSchema, metrics: perUserMetricsSchema } as const;

/**
 * Reads tables of users. Sizes come before bytes and the table's header before its numbers, so that nothing beyond
 * `PER_USER_LIMITS` is read. Descriptions with the same content, such as those of replicates, are parsed once, as long as there is
 * room for them.
 */
export function userTableReader(store: ArtifactBytes): UserTableReader {
  const parsed = createBoundedCache<string, Described>(MOST_KEPT);

  async function describe(of: UserTable['of'], sha256: string, place: string): Promise<Described> {
    const key = `${of} ${sha256}`;
    const known = parsed.get(key);
    if (known !== undefined) return known;
    const bytes = await store.read(
      sha256,
      await sizeWithin(store, sha256, { limit: PER_USER_LIMITS.descriptionBytes, place }),
    );
    const described = parseDescription(of, bytes, place);
    parsed.set(key, described, bytes.length);
    return described;
  }

  return {
    async read({ number, files }) {
      const of = files[PER_USER_FILES.metrics.table] === undefined ? 'ranks' : 'metrics';
      const { table, description } = PER_USER_FILES[of];
      const sha256Of = (name: string): string => {
        const sha256 = files[name];
        if (sha256 !== undefined) return sha256;
        throw badInput(`run ${number} left no ${name}: only runs that rank items for each user do`, name);
      };
      const [tableSha256, descriptionSha256] = [sha256Of(table), sha256Of(description)];
      const place = `run ${number}, ${table}`;
      const { rows, columns } = await checkedHeader(store, tableSha256, place);
      const described = await describe(of, descriptionSha256, `run ${number}, ${description}`);
      if (rows !== described.users.length || columns !== described.columns.length) {
        throw badInput(
          `${place}: its shape is (${rows}, ${columns}), expected (${described.users.length}, ${described.columns.length}) as in ${description}`,
          table,
        );
      }
      const bytes = await store.read(tableSha256, PER_USER_LIMITS.tableBytes);
      return { of, rows, values: decodeNpyTable(bytes, place, { integers: true }).values, ...described };
    },
  };
}

async function checkedHeader(
  store: ArtifactBytes,
  sha256: string,
  place: string,
): Promise<{ rows: number; columns: number }> {
  await sizeWithin(store, sha256, { limit: PER_USER_LIMITS.tableBytes, place });
  const header = decodeNpyHeader(await store.read(sha256, LONGEST_NPY_HEADER), place, { integers: true });
  if (header.rows > PER_USER_LIMITS.users) {
    throw tooLarge(`${place}: it has ${header.rows} users; at most ${PER_USER_LIMITS.users} are compared`);
  }
  if (header.columns > PER_USER_LIMITS.columns) {
    throw tooLarge(`${place}: it has ${header.columns} columns; at most ${PER_USER_LIMITS.columns} are read`);
  }
  return header;
}

async function sizeWithin(
  store: ArtifactBytes,
  sha256: string,
  { limit, place }: { limit: number; place: string },
): Promise<number> {
  const size = await store.size(sha256);
  if (size === null) throw new WarrenError('NOT_FOUND', `${place}: its bytes are not in the artifact store any more`);
  if (size > limit) throw tooLarge(`${place}: it has ${size} bytes; at most ${limit} are read`);
  return size;
}

function tooLarge(message: string): WarrenError {
  return new WarrenError('TOO_LARGE', message);
}

function parseDescription(of: UserTable['of'], bytes: Uint8Array, place: string): Described {
  const found = SCHEMAS[of].safeParse(jsonOf(bytes, place));
  if (!found.success) throw badInput(`${place}: ${z.prettifyError(found.error).split('\n')[0]}`, place);
  const { fingerprint, users, historyLengths } = found.data;
  const perUser = (counts: readonly number[] | undefined, name: string): readonly number[] | null => {
    if (counts === undefined || counts.length === users.length) return counts ?? null;
    throw badInput(
      `${place}: ${name}: expected ${users.length} counts, one per user, received ${counts.length}`,
      place,
    );
  };
  const length = perUser(historyLengths, 'historyLengths');
  if ('cutoffs' in found.data) {
    const { part, cutoffs, targetPopularities } = found.data;
    const popularity = perUser(targetPopularities, 'targetPopularities');
    return { part, fingerprint, users, columns: cutoffs, groupings: { length, popularity } };
  }
  return { part: 'test', fingerprint, users, columns: found.data.columns, groupings: { length, popularity: null } };
}

function jsonOf(bytes: Uint8Array, place: string): unknown {
  checkFlat(bytes, place);
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  } catch {
    throw badInput(`${place}: it is not JSON`, place);
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
/** An object of lists. */
const DEEPEST = 2;
/** Users, and of each two counts. */
const MOST_VALUES = 3 * PER_USER_LIMITS.users + PER_USER_LIMITS.columns + 100;

/** Refuses JSON that is deeper or has more values than a description can have, before a parser makes objects of it. */
function checkFlat(bytes: Uint8Array, place: string): void {
  let depth = 0;
  let values = 1;
  let inText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (inText) {
      if (byte === BACKSLASH) at++;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === COMMA) values++;
    else if (OPENING.has(byte)) depth++;
    else if (CLOSING.has(byte)) depth--;
    if (depth > DEEPEST) throw badInput(`${place}: it is nested too deep; expected an object of lists`, place);
  }
  if (values > MOST_VALUES) {
    throw tooLarge(`${place}: it lists ${values} values; at most ${PER_USER_LIMITS.users} users are compared`);
  }
}
