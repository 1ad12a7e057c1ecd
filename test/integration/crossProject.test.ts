import { expect, test } from 'vitest';
import { connectPostgres } from '#src/base/platform/postgres/postgresClient.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { buildWarrenSchema } from '#src/graphql/warrenSchema.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { type Caller, callersOfMine } from './support/callersOfMine.ts';
import { everyRequest, namesOfTheirs } from './support/everyRequest.ts';
import type { Things } from './support/filledProject.ts';
import { rowsAdded, rowsSeen } from './support/databaseRows.ts';
import { firstEvents } from './support/firstEvents.ts';
import { type Draw, mixedThings, randomOperation } from './support/randomOperation.ts';
import { storedTexts, tellsOf } from './support/tellsOf.ts';
import { crowdedProjectsForTests } from './support/crowdedProjects.ts';
import { validWrites } from './support/validOperations.ts';
import { bearer, SECRET } from './support/twoProjects.ts';

// What a caller in one project is told of another one: nothing, by no operation of the schema, alone or several at once, with ids,
// names, cursors, filters and orders of the other project and of both, over HTTP and WebSocket, and by no other address. The
// whole of 10,000 requests a caller: WARREN_CROSS_PROJECT_REQUESTS=10000 npm test -- crossProject.test
const REQUESTS = Number(process.env.WARREN_CROSS_PROJECT_REQUESTS ?? 40);
/** Writers end what they have: it is made anew after so many requests. */
const REFILL = 500;
const AT_ONCE = 10;

const both = await crowdedProjectsForTests();
const { api, theirs } = both;
const callers = await callersOfMine(both);
const schema = buildWarrenSchema();
const addresses = Object.values(everyRequest(namesOfTheirs(both))).flat();

/** What callers have stored of the words of the other project: those of `mine` may read it. */
const stored = new Set<string>();
const words = Object.values(theirs).map(String);
const namesTheirs = (text: string) => words.some((word) => text.includes(word));

interface Asked {
  asked: string;
  status: number;
  answer: string;
  /** Whether the answer told anything, rather than errors and nulls alone. */
  hasData: boolean;
}

async function askAddress(draw: Draw, headers: Record<string, string>): Promise<Asked> {
  const { path, ...init } = addresses[Math.floor(draw() * addresses.length)]!;
  const sent = { 'content-type': 'application/json', ...headers, ...init.headers };
  const response = await api.fetch(path, { ...init, headers: sent });
  const answer = `${JSON.stringify([...response.headers])} ${await response.text()}`;
  const asked = `${init.method} ${path} ${JSON.stringify(init.headers ?? {})} ${init.body ?? ''}`;
  return { asked, status: response.status, answer, hasData: response.ok };
}

async function askOperation(mine: Things, draw: Draw, headers: Record<string, string>): Promise<Asked> {
  const kind = draw() < 0.55 ? 'query' : 'mutation';
  const { query, variables } = randomOperation(schema, kind, {
    things: mixedThings(mine, theirs, { share: 0.8, draw }),
    draw,
  });
  const body = JSON.stringify({ query, variables });
  if (kind === 'mutation') for (const text of storedTexts(variables)) if (namesTheirs(text)) stored.add(text);
  const sent = { 'content-type': 'application/json', ...headers };
  const response = await api.fetch('/graphql', { method: 'POST', headers: sent, body });
  const text = await response.text();
  const { data } = JSON.parse(text) as { data?: Record<string, unknown> | null };
  const hasData = Object.values(data ?? {}).some((value) => value !== null);
  return { asked: body, status: response.status, answer: `${JSON.stringify([...response.headers])} ${text}`, hasData };
}

async function askEvents(mine: Things, draw: Draw, { token }: Caller): Promise<Asked> {
  const things = mixedThings(mine, theirs, { share: 0.8, draw });
  const operation = randomOperation(schema, 'subscription', { things, draw });
  const answer = await firstEvents(api, token, operation);
  return { asked: JSON.stringify(operation), status: 200, answer, hasData: answer.includes('"data"') };
}

test.each(callers)(
  '$name in one project is told nothing of another, and changes nothing there',
  { timeout: 7_200_000 },
  async (caller) => {
    const { name, token, reads } = caller;
    const headers: Record<string, string> = token === null ? {} : bearer(token);
    const random = randomGenerator(20_261_127, name);
    const draw = () => random.nextFloat();
    let mine = both.mine;
    let answered = 0;
    const wrong: string[] = [];
    const one = async () => {
      const way = draw();
      const { asked, status, answer, hasData } = await (way < 0.15
        ? askAddress(draw, headers)
        : way < 0.2
          ? askEvents(mine, draw, caller)
          : askOperation(mine, draw, headers));
      if (hasData) answered++;
      const told = tellsOf(answer, asked, { ...both, stored });
      if (told !== null) wrong.push(`${asked}: ${told}`);
      if (status >= 500 || answer.includes('"INTERNAL"')) wrong.push(`${asked}: ${status} ${answer.slice(0, 600)}`);
    };
    for (let done = 0; done < REQUESTS; done += AT_ONCE) {
      if (reads && done > 0 && done % REFILL === 0) mine = await both.fill();
      await Promise.all(Array.from({ length: AT_ONCE }, one));
    }
    expect(wrong).toEqual([]);
    // a link answers few of them
    if (reads && REQUESTS >= REFILL) expect(answered).toBeGreaterThan(0);
    expect(await both.changesOfTheirs()).toEqual([]);
  },
);

// the last: it changes what the other project holds
test('what somebody makes is in their project from its birth: after no mutation another project sees anything new', async () => {
  const grants = [{ project: 'theirs', role: 'ADMIN' as const, mayQueueCommands: true }];
  const { token } = await issueToken(both.context, { name: 'of theirs alone', role: 'READ', grants });
  const { id } = await both.context.db.project.findUniqueOrThrow({ where: { name: 'mine' } });
  const client = await connectPostgres(api.postgres.url, { applicationName: 'warren tests' });
  try {
    await client.query(`SELECT set_config('warren.projects', $1, false)`, [`{${id}}`]);
    const things = await both.fill({ project: 'theirs', mark: SECRET });
    const wrong: string[] = [];
    let made = 0;
    const seen = async () => await rowsSeen(client);
    let before = await seen();
    for (const [field, { needs }] of Object.entries(validWrites(things))) {
      if (!['WRITE', 'COMMANDS', 'ADMIN'].includes(needs) || field.startsWith('delete')) continue;
      const random = randomGenerator(11, field);
      const options = { things, field, draw: () => random.nextFloat() * 0.3 };
      const { query, variables } = randomOperation(schema, 'mutation', options);
      const { errors } = await api.graphql(query, variables, bearer(token));
      if (errors.length === 0) made++;
      const after = await seen();
      wrong.push(...[...rowsAdded(before, after).values()].map((row) => `${field}: ${row}`));
      before = after;
    }
    expect(wrong).toEqual([]);
    expect(made).toBeGreaterThan(30);
  } finally {
    await client.end();
  }
}, 120_000);
