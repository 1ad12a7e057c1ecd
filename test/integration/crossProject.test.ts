import { expect, test } from 'vitest';
import { buildWarrenSchema } from '#src/graphql/warrenSchema.ts';
import { issueToken } from '#src/services/tokens/apiTokens.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { callersOfMine } from './support/callersOfMine.ts';
import { everyRequest, namesOfTheirs, withoutSent } from './support/everyRequest.ts';
import { randomOperation } from './support/randomOperation.ts';
import { bearer, SECRET, twoProjectsForTests } from './support/twoProjects.ts';

// What a token for one project is answered about another one: nothing, and in the same words as of what is not there. The whole
// of 10,000 requests a role: WARREN_CROSS_PROJECT_REQUESTS=10000 npm test -- crossProject
const REQUESTS = Number(process.env.WARREN_CROSS_PROJECT_REQUESTS ?? 120);

const both = await twoProjectsForTests();
const { api, context, ok, theirs, fingerprint } = both;
const callers = await callersOfMine(both);
const schema = buildWarrenSchema();
/** As the id of a run of `theirs` where nothing is. */
const nowhere = '00000000-0000-4000-8000-000000000000';

const hidden = await namesOfTheirs(both);
/** Addresses beside GraphQL; crossProjectRoutes.test.ts asks each of them. */
const addresses = Object.values(everyRequest(hidden)).flat();

/** What a caller sees of an answer, without what it has sent itself. */
function blank(text: string): string {
  return text
    .replaceAll(theirs.runId, nowhere)
    .replaceAll(/internal error [\w-]+/g, 'internal error')
    .replaceAll(/"id":"[0-9a-f-]{36}"/g, '');
}

test.each(callers)(
  '$name in one project is told nothing of another, and changes nothing there',
  { timeout: 3_600_000 },
  async ({ name, token, reads }) => {
    const headers: Record<string, string> = token === null ? {} : bearer(token);
    if (reads) {
      const { runs } = await ok(
        '{ runs { edges { node { name project { name } metrics { name } } } } }',
        {},
        token ?? '',
      );
      expect(runs.edges.map(({ node }: { node: { name: string } }) => node.name)).toContain('ownmark run');
      expect(JSON.stringify(runs)).not.toContain(SECRET);
    }
    const before = await fingerprint();
    const random = randomGenerator(20_261_123, name);
    const draw = () => random.nextFloat();
    const wrong: string[] = [];
    const internal: string[] = [];
    let answered = 0;
    const one = async () => {
      if (draw() < 0.15) {
        const { path, ...init } = addresses[Math.floor(draw() * addresses.length)]!;
        const response = await api.fetch(path, {
          ...init,
          headers: { 'content-type': 'application/json', ...headers, ...init.headers },
        });
        const text = withoutSent(await response.text(), hidden);
        if (text.includes(SECRET)) wrong.push(`${path}: ${text.slice(0, 300)}`);
        if (response.status >= 500) internal.push(`${path}: ${text.slice(0, 300)}`);
        return;
      }
      const kind = draw() < 0.55 ? 'query' : 'mutation';
      const operation = randomOperation(schema, { kind, targets: theirs.targets, draw });
      const answer = await api.graphql(operation.query, operation.variables, headers);
      const text = JSON.stringify(answer);
      if (answer.data !== null && answer.data !== undefined) answered++;
      if (text.includes(SECRET))
        wrong.push(`${operation.query} ${JSON.stringify(operation.variables)}: ${text.slice(0, 600)}`);
      const codes = answer.errors.map(({ extensions }) => extensions.code);
      if (codes.includes('INTERNAL'))
        internal.push(`${operation.query} ${JSON.stringify(operation.variables)}: ${text.slice(0, 400)}`);
    };
    for (let done = 0; done < REQUESTS; done += 4) await Promise.all([one(), one(), one(), one()]);
    expect(wrong).toEqual([]);
    expect(internal).toEqual([]);
    if (reads) expect(answered).toBeGreaterThan(name === 'who has a link' ? 0 : REQUESTS / 10);
    expect(await fingerprint()).toBe(before);
  },
);

test('what is in another project is answered in the words of what is not there', async () => {
  const grants = [{ project: 'mine', role: 'ADMIN' as const, mayQueueCommands: true }];
  const { token } = await issueToken(context, { name: 'curious', role: 'READ', grants });
  const answers = async (id: string) => {
    const queries = [
      ['query ($id: ID!) { run(id: $id) { id } }', { id }],
      ['query ($id: ID!) { logs(runId: $id) { cursor } }', { id }],
      ['query ($id: ID!) { artifacts(runId: $id) { id } }', { id }],
      ['query ($id: ID!) { metricHistory(runIds: [$id]) { name } }', { id }],
      ['query ($id: ID!) { compareRuns(ids: [$id]) { configurations { hash } } }', { id }],
      ['mutation ($id: ID!) { cancelRuns(ids: [$id]) { done message } }', { id }],
      ['mutation ($id: ID!) { deleteRuns(ids: [$id]) { done message } }', { id }],
      ['mutation ($id: ID!) { heartbeat(runId: $id) { id } }', { id }],
    ] as const;
    const texts = [];
    for (const [query, variables] of queries) {
      texts.push(blank(JSON.stringify(await api.graphql(query, variables, bearer(token)))));
    }
    return texts;
  };
  expect(await answers(theirs.runId)).toEqual(await answers(nowhere));
  const project = async (name: string) =>
    JSON.stringify(
      await Promise.all([
        api.graphql('query ($name: String!) { project(name: $name) { id } }', { name }, bearer(token)),
        api.graphql('mutation ($name: String!) { createProject(name: $name) { id } }', { name }, bearer(token)),
        api.graphql('query ($name: String!) { runs(project: $name) { edges { cursor } } }', { name }, bearer(token)),
        api.graphql(
          'mutation ($name: String!) { createRun(input: { project: $name }) { id } }',
          { name },
          bearer(token),
        ),
        api.graphql(
          'mutation ($name: String!) { issueToken(name: "x", role: READ, grants: [{ project: $name, role: READ }]) { token } }',
          { name },
          bearer(token),
        ),
      ]),
    ).replaceAll(name, 'NAME');
  expect(await project('theirs')).toBe(await project('neverwas'));
});
