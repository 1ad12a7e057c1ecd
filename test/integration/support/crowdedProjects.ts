import { z } from 'zod';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { servicesForTests } from '../services/support.ts';
import { apiForTests, type GraphqlAnswer, type TestApi } from './apiForTests.ts';
import { idsOf, rowsAdded, rowsChanged, rowsOf } from './databaseRows.ts';
import { filledProject, type Things } from './filledProject.ts';
import { postgresForTests } from './postgresForTests.ts';
import { bearer, SECRET } from './twoProjects.ts';

/** In everything that the project `mine` holds. */
const OWN = 'ownmark';
const OWN_NAMES = { project: 'mine', mark: OWN };

/** From which the things of `theirs` are numbered. */
const NUMBERS = 770_001;

export interface CrowdedProjects {
  api: TestApi;
  context: Awaited<ReturnType<typeof servicesForTests>>;
  /** Of somebody who may do everything. */
  admin: string;
  /** The data of an operation that must succeed, as an admin where no token is given. */
  ok(query: string, variables?: Record<string, unknown>, token?: string): Promise<GraphqlAnswer['data']>;
  mine: Things;
  theirs: Things;
  /** Ids, hashes and numbers that stand in what `theirs` holds, and in nothing else. */
  hidden: ReadonlySet<string>;
  /** Makes one more of everything in the project `mine`, or in another one. */
  fill(names?: Pick<Things, 'project' | 'mark'>): Promise<Things>;
  /** What has become different of what `theirs` held at first, or has been added to it. */
  changesOfTheirs(): Promise<string[]>;
}

/** An API that asks for tokens, with one of everything in each of the projects `mine` and `theirs`. Use at the top of a file. */
export async function crowdedProjectsForTests(): Promise<CrowdedProjects> {
  const postgres = await postgresForTests();
  const context = await servicesForTests(postgres.url);
  const api = await apiForTests({ postgres, requireToken: true });
  const admin = (await issueToken(context, { name: 'admin', role: 'ADMIN', mayQueueCommands: true })).token;

  async function ok(query: string, variables: Record<string, unknown> = {}, token = admin) {
    const { data, errors } = await api.graphql(query, variables, bearer(token));
    if (errors.length > 0) throw new Error(`${query}: ${JSON.stringify(errors)}`);
    return data;
  }
  const filled = (names: { project: string; mark: string }) =>
    filledProject({ api, context, ok, headers: bearer(admin) }, names);

  const mine = await filled(OWN_NAMES);
  const before = await rowsOf(postgres.url);
  await numberFrom(postgres.url, NUMBERS);
  const theirs = await filled({ project: 'theirs', mark: SECRET });
  await numberFrom(postgres.url, 1_000);
  const held = rowsAdded(before, await rowsOf(postgres.url));
  const ids = idsOf(held, before);
  const hidden = new Set([...ids, ...[...ids].map((id) => id.replaceAll('-', ''))]);

  const filledSince = new Map<string, string>();
  /** An administrator of all projects does it, whose comparisons may take runs of both. */
  async function fill(names = OWN_NAMES): Promise<Things> {
    const earlier = await rowsOf(postgres.url);
    const things = await filled(names);
    for (const [place, row] of rowsAdded(earlier, await rowsOf(postgres.url))) filledSince.set(place, row);
    return things;
  }

  async function changesOfTheirs(): Promise<string[]> {
    const now = await rowsOf(postgres.url);
    const since = [...rowsAdded(new Map([...before, ...held]), now)];
    const added = since.filter(([place, row]) => filledSince.get(place) !== row);
    // the audit log says who asked for what, in the words of the caller
    const inTheirs = added.filter(([place, row]) => !place.startsWith('audit_entry') && namesAny(row, ids));
    return [...rowsChanged(held, now), ...inTheirs.map(([place, row]) => `${place} is new: ${row}`)];
  }
  return { api, context, admin, ok, mine, theirs, hidden, fill, changesOfTheirs };
}

function namesAny(row: string, ids: ReadonlySet<string>): boolean {
  return (row.match(/[0-9a-f-]{36}|[0-9a-f]{64}/g) ?? []).some((id) => ids.has(id));
}

/** What is numbered from now on begins with this number. */
async function numberFrom(url: string, first: number): Promise<void> {
  const client = await connectPostgres(url, { applicationName: 'warren tests' });
  try {
    const { rows } = await client.query(
      `SELECT format('%I.%I', schemaname, sequencename) AS name FROM pg_sequences WHERE sequencename LIKE '%number_seq'`,
    );
    for (const { name } of z.array(z.object({ name: z.string() })).parse(rows))
      await client.query('SELECT setval($1, $2)', [name, first]);
  } finally {
    await client.end();
  }
}
