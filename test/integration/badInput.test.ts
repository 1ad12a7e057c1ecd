import { expect, test } from 'vitest';
import type { GraphQLField } from 'graphql';
import { buildWarrenSchema } from '#src/graphql/warrenSchema.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { type BadValue, badValues, type Place, placesOf, valueAt, withValue } from './support/badValues.ts';
import { faultOf, type HeardAnswer, isToBeAskedAgain } from './support/faultsOf.ts';
import type { Things } from './support/filledProject.ts';
import { selectionOf } from './support/randomOperation.ts';
import { crowdedProjectsForTests } from './support/crowdedProjects.ts';
import { bearer } from './support/twoProjects.ts';
import { validReads, validWrites } from './support/validOperations.ts';

// Wrong and far-out values for every argument of every operation: each answer says what is wrong, or does what was asked, soon, and
// the API goes on. All of them: WARREN_BAD_INPUT_REQUESTS=1000000 npm test -- badInput
const REQUESTS = Number(process.env.WARREN_BAD_INPUT_REQUESTS ?? 150);
const REFILL = 1_500;
const AT_ONCE = 10;

const both = await crowdedProjectsForTests();
const { api, context } = both;
const schema = buildWarrenSchema();
const { token } = await issueToken(context, { name: 'who errs', role: 'ADMIN', mayQueueCommands: true });

interface Case {
  kind: 'query' | 'mutation';
  field: GraphQLField<unknown, unknown>;
  place: Place;
  bad: BadValue;
}

function casesOf(kind: Case['kind'], things: Things): Case[] {
  const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  const valid = kind === 'query' ? validReads(things) : validWrites(things);
  return Object.values(root?.getFields() ?? {}).flatMap((field) =>
    placesOf(field.args).flatMap((place) =>
      badValues(place.type, valueAt(valid[field.name]?.args[0], place.path)).map((bad) => ({
        kind,
        field,
        place,
        bad,
      })),
    ),
  );
}

async function ask({ kind, field, place, bad }: Case, things: Things): Promise<HeardAnswer> {
  const valid = (kind === 'query' ? validReads(things) : validWrites(things))[field.name]?.args[0] ?? {};
  const variables = withValue(valid, place.path, bad.value) as Record<string, unknown>;
  const names = Object.keys(variables);
  const declared = field.args
    .filter(({ name }) => names.includes(name))
    .map(({ name, type }) => `$${name}: ${String(type)}`);
  const head = declared.length === 0 ? '' : `(${declared.join(', ')})`;
  const call = names.length === 0 ? '' : `(${names.map((name) => `${name}: $${name}`).join(', ')})`;
  const query = `${kind}${head} { ${field.name}${call}${selectionOf(field.type, 0, () => 0)} }`;
  const start = performance.now();
  const headers = { 'content-type': 'application/json', ...bearer(token) };
  const what = `${field.name} ${place.path.join('.')} ${bad.what}`;
  const body = JSON.stringify({ query, variables });
  const response = await api.fetch('/graphql', { method: 'POST', headers, body }).catch((error: unknown) => {
    throw new Error(`no answer to ${what}, ${body.length} characters`, { cause: error });
  });
  const text = await response.text();
  return { what, status: response.status, text, milliseconds: performance.now() - start };
}

async function heard(one: Case, things: Things): Promise<HeardAnswer> {
  const first = await ask(one, things);
  return isToBeAskedAgain(first) ? await ask(one, things) : first;
}

test('wrong input is refused by every operation with what is wrong', { timeout: 7_200_000 }, async () => {
  const random = randomGenerator(20_261_128, 'input');
  const all = [...casesOf('query', both.mine), ...casesOf('mutation', both.mine)];
  const chosen =
    REQUESTS >= all.length ? all : Array.from({ length: REQUESTS }, () => all[random.nextInt(all.length)]!);
  let things = both.mine;
  const faults: string[] = [];
  for (let from = 0; from < chosen.length; from += AT_ONCE) {
    if (from > 0 && from % REFILL === 0) things = await both.fill();
    const answers = await Promise.all(chosen.slice(from, from + AT_ONCE).map((one) => heard(one, things)));
    faults.push(...answers.flatMap((answer) => faultOf(answer) ?? []));
  }
  expect(faults).toEqual([]);
  expect(Object.prototype).not.toHaveProperty('polluted');
  expect((await api.fetch('/health')).status).toBe(200);
  const { run } = await both.ok('query ($id: ID!) { run(id: $id) { name metrics { lastValue } } }', {
    id: both.theirs.run,
  });
  expect(run).toEqual({ name: both.theirs.token, metrics: [{ lastValue: 3 }] });
});
