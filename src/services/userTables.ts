import { z } from 'zod';
import { badInput, WarrenError } from '../contracts/errors.ts';
import { decodeNpyTable } from '../contracts/npyTable.ts';
import { PER_USER_FILES, perUserMetricsSchema, perUserRanksSchema } from '../contracts/perUserArtifact.ts';
import type { ArtifactStore } from '../platform/artifactStore.ts';
import type { UserTable } from '../statistics/userValues.ts';
import type { ArtifactRecord } from '../store/artifactRecord.ts';
import type { RunRecord } from '../store/runRecord.ts';

/** What a run left of each user, and of which users. */
export interface RunUserTable extends UserTable {
  part: 'test' | 'valid';
  fingerprint: string;
  /** The same list for the same file: comparing two of them is cheap. */
  users: readonly (string | number)[];
}

export interface UserTableReader {
  /**
   * The table of the run among its artifacts. @throws WarrenError BAD_INPUT, which says why there is none that can be read.
   */
  read(run: RunRecord, artifacts: readonly ArtifactRecord[]): Promise<RunUserTable>;
}

/** Larger files are not read into the API's memory. */
const LARGEST_BYTES = 256 * 1024 ** 2;

const jsonText = z.string().transform((text, context) => {
  try {
    return z.json().parse(JSON.parse(text));
  } catch {
    context.addIssue({ code: 'custom', message: 'it is no JSON' });
    return z.NEVER;
  }
});
const descriptions = {
  ranks: jsonText.pipe(perUserRanksSchema),
  metrics: jsonText.pipe(perUserMetricsSchema),
};

/** Reads tables of users; descriptions with the same content, such as those of replicates, are parsed once. */
export function userTableReader(store: ArtifactStore): UserTableReader {
  const parsed = new Map<string, Pick<RunUserTable, 'part' | 'fingerprint' | 'users' | 'columns'>>();

  async function describe(of: UserTable['of'], artifact: ArtifactRecord, name: string) {
    const known = parsed.get(artifact.sha256);
    if (known !== undefined) return known;
    const found = descriptions[of].safeParse((await bytesOf(store, artifact, name)).toString());
    if (!found.success) {
      throw badInput(`${name}: ${z.prettifyError(found.error).split('\n')[0]}`, artifact.name);
    }
    const { fingerprint, users } = found.data;
    const described =
      'cutoffs' in found.data
        ? { part: found.data.part, fingerprint, users, columns: found.data.cutoffs }
        : { part: 'test' as const, fingerprint, users, columns: found.data.columns };
    parsed.set(artifact.sha256, described);
    return described;
  }

  return {
    async read(run, artifacts) {
      const own = new Map(artifacts.filter(({ runId }) => runId === run.id).map((one) => [one.name, one]));
      const of = own.has(PER_USER_FILES.metrics.table) ? 'metrics' : 'ranks';
      const find = (name: string): ArtifactRecord => {
        const artifact = own.get(name);
        if (artifact !== undefined) return artifact;
        throw badInput(`run ${run.number} left no ${name}: only runs that rank items for each user do`, name);
      };
      const [table, description] = [find(PER_USER_FILES[of].table), find(PER_USER_FILES[of].description)];
      const described = await describe(of, description, `run ${run.number}, ${description.name}`);
      const name = `run ${run.number}, ${table.name}`;
      const { rows, columns, values } = decodeNpyTable(await bytesOf(store, table, name), name, { integers: true });
      if (rows !== described.users.length || columns !== described.columns.length) {
        throw badInput(
          `${name}: its shape is (${rows}, ${columns}), expected (${described.users.length}, ${described.columns.length}) as in ${description.name}`,
          table.name,
        );
      }
      return { of, rows, values, ...described };
    },
  };
}

async function bytesOf(store: ArtifactStore, { sha256, sizeBytes }: ArtifactRecord, name: string): Promise<Buffer> {
  if (sizeBytes > LARGEST_BYTES) {
    throw new WarrenError('TOO_LARGE', `${name}: it has ${sizeBytes} bytes; at most ${LARGEST_BYTES} are read`);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of await store.read(sha256)) chunks.push(z.instanceof(Uint8Array).parse(chunk));
  return Buffer.concat(chunks);
}
