import { expect, test } from 'vitest';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { callersOfMine } from './support/callersOfMine.ts';
import { type AnyRequest, everyRequest, type Named, namesOfTheirs, withoutSent } from './support/everyRequest.ts';
import { watchRoutes } from './support/routesOfServer.ts';
import { crowdedProjectsForTests } from './support/crowdedProjects.ts';
import { bearer, SECRET } from './support/twoProjects.ts';

// Every address beside GraphQL, by the router itself, and every call of MLflow's protocol, asked for by everybody who may do
// something in one project, about another one. The whole of 10,000 requests a caller:
// WARREN_CROSS_PROJECT_REQUESTS=10000 npm test -- crossProjectRoutes
const REQUESTS = Number(process.env.WARREN_CROSS_PROJECT_REQUESTS ?? 0);

const watch = watchRoutes();
const both = await crowdedProjectsForTests();
watch.stop();
const { api, changesOfTheirs } = both;
const callers = await callersOfMine(both);

const hidden = namesOfTheirs(both);
const nowhere: Named = {
  ...{ runId: '00000000-0000-4000-8000-000000000000', experiment: '90909', project: 'absent' },
  ...{ model: 'zqxabsent-model', alias: 'zqxabsent', sha256: 'a'.repeat(64) },
};

/** An answer without what the caller has sent, and what differs from one request to the next. */
function blank(text: string, named: Named): string {
  return withoutSent(text, named)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replaceAll(/\d{13}/g, 'TIME');
}

async function ask({ path, ...init }: AnyRequest, token: string | null): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json', ...(token === null ? {} : bearer(token)), ...init.headers };
  const response = await api.fetch(path, { ...init, headers });
  return { status: response.status, text: await response.text() };
}

/** Names are the server's, not a project's: who makes or renames one is told when it is taken. */
const NAMES = /(registered-models|model-versions|experiments)\/(create|rename|update)\b/;

test('there is no route that nobody has thought about', () => {
  expect(watch.routes().toSorted()).toEqual(Object.keys(everyRequest(hidden)).toSorted());
});

test.each(callers)('$name is answered about another project as about what is not there', async ({ token }) => {
  const asked = Object.values(everyRequest(hidden)).flat();
  const others = Object.values(everyRequest(nowhere)).flat();
  const wrong: string[] = [];
  for (const [index, request] of asked.entries()) {
    const answer = await ask(request, token);
    const hasOther = !NAMES.test(request.path); // it would make what is not there
    const other = hasOther ? await ask(others[index]!, token) : null;
    const what = `${request.method} ${request.path} ${request.body ?? ''}`;
    const seen = `${answer.status} ${blank(answer.text, hidden)}`;
    const expected = other === null ? seen : `${other.status} ${blank(other.text, nowhere)}`;
    if (seen.includes(SECRET) || answer.status >= 500) wrong.push(`${what}: ${seen}`);
    else if (seen !== expected) wrong.push(`${what}:\n  ${seen}\n  ${expected}`);
  }
  expect(wrong).toEqual([]);
  expect(await changesOfTheirs()).toEqual([]);
});

test.skipIf(REQUESTS === 0).each(callers)(
  '$name is told nothing by any of 10,000 requests',
  { timeout: 3_600_000 },
  async ({ name, token }) => {
    const random = randomGenerator(20_261_127, name);
    const asked = Object.values(everyRequest(hidden)).flat();
    const wrong: string[] = [];
    const one = async () => {
      const request = asked[Math.floor(random.nextFloat() * asked.length)]!;
      const { status, text } = await ask(request, token);
      if (blank(text, hidden).includes(SECRET) || status >= 500) wrong.push(`${request.path}: ${status} ${text}`);
    };
    for (let done = 0; done < REQUESTS; done += 4) await Promise.all([one(), one(), one(), one()]);
    expect(wrong).toEqual([]);
    expect(await changesOfTheirs()).toEqual([]);
  },
);
