import { expect, test } from 'vitest';
import { buildWarrenSchema } from '#src/graphql/warrenSchema.ts';
import { issueToken } from '#src/people/apiTokens.ts';
import { randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { type Caller, callersOfMine } from './support/callersOfMine.ts';
import { idsOf, rowsAdded, rowsChanged, rowsOf } from './support/databaseRows.ts';
import type { Things } from './support/filledProject.ts';
import { randomOperation } from './support/randomOperation.ts';
import { crowdedProjectsForTests } from './support/crowdedProjects.ts';
import { bearer } from './support/twoProjects.ts';
import { type Right, validReads, validWrites } from './support/validOperations.ts';

// Who may ask for what: every operation of the schema, asked by everybody. A new operation fails here until validOperations.ts says
// who may ask for it, and how.
const both = await crowdedProjectsForTests();
const { api, context, mine, theirs } = both;
const callers = await callersOfMine(both);
const schema = buildWarrenSchema();

const token = async (name: string, role: 'READ' | 'WRITE' | 'ADMIN', more = {}): Promise<Caller> => ({
  ...{ name, reads: true },
  token: (await issueToken(context, { name, role, ...more })).token,
});
const byName = (name: string) => callers.find((one) => one.name === name)!;

/** Callers with what they may; the last right of each is asked for by it. */
const ROLES: [Caller, readonly Right[]][] = [
  [byName('a reader'), ['READ']],
  [byName('who reads by a token of their own'), ['READ']],
  [byName('a writer'), ['READ', 'WRITE']],
  [byName('who writes by a token of their own'), ['READ', 'WRITE']],
  [byName('who runs commands'), ['READ', 'WRITE', 'COMMANDS']],
  [byName('an administrator'), ['READ', 'WRITE', 'COMMANDS', 'ADMIN']],
  [await token('who reads all projects', 'READ'), ['READ', 'ALL']],
  [await token('who writes all projects', 'WRITE'), ['READ', 'WRITE', 'ALL', 'ALL WRITE']],
  [
    await token('who manages the queue', 'WRITE', { mayManageQueue: true }),
    ['READ', 'WRITE', 'ALL', 'ALL WRITE', 'QUEUE'],
  ],
  [
    await token('an administrator of all projects', 'ADMIN'),
    ['READ', 'WRITE', 'ALL', 'ALL WRITE', 'QUEUE', 'ADMIN', 'SERVER'],
  ],
];
/** For tests that are named after the caller. */
function named([caller, rights]: (typeof ROLES)[number]) {
  return [caller.name, caller, rights] as const;
}

/** Who may ask for none of it: the things are not of the token's run, and a link is for its page. */
const WITHOUT = [
  'a run',
  'nobody',
  'an unknown token',
  'a revoked token',
  'an expired token',
  'who has a withdrawn link',
];

const all = (things: Things) => [
  ...Object.entries(validReads(things))
    .filter(([field]) => !field.endsWith('Changed') && field !== 'metricsLogged' && field !== 'logAppended')
    .map(([field, { needs }]) => ({ kind: 'query' as const, field, needs, mayAnswer: undefined })),
  ...Object.entries(validWrites(things)).map(([field, { needs, mayAnswer }]) => ({
    ...{ kind: 'mutation' as const, field, needs },
    mayAnswer,
  })),
];

async function ask(
  { kind, field }: { kind: 'query' | 'mutation'; field: string },
  things: Things,
  caller: string | null,
) {
  const random = randomGenerator(7, field);
  const { query, variables } = randomOperation(schema, kind, { things, field, draw: () => random.nextFloat() * 0.3 });
  const { errors } = await api.graphql(query, variables, caller === null ? {} : bearer(caller));
  // what is wrong below the field is another thing
  return errors
    .filter(({ path }) => (path ?? []).length <= 1)
    .map(({ message, extensions }) => `${extensions.code} ${message}`);
}

test('arguments are known for each operation of the schema, and for none else', () => {
  const names = (root: { getFields(): object } | null | undefined) => Object.keys(root?.getFields() ?? {});
  expect(Object.keys(validReads(mine)).toSorted()).toEqual(
    [...names(schema.getQueryType()), ...names(schema.getSubscriptionType())].toSorted(),
  );
  expect(Object.keys(validWrites(mine)).toSorted()).toEqual(names(schema.getMutationType()).toSorted());
});

test.each(ROLES.map(named))(
  '%s is refused what is beyond its rights, and nothing changes',
  async (_name, { token: caller }, rights) => {
    const before = await rowsOf(both.api.postgres.url);
    const open: string[] = [];
    for (const operation of all(mine).filter(({ needs }) => !rights.includes(needs))) {
      const errors = await ask(operation, mine, caller);
      if (!errors.some((error) => error.startsWith('FORBIDDEN'))) open.push(`${operation.field}: ${errors.join()}`);
    }
    expect(open).toEqual([]);
    const now = await rowsOf(both.api.postgres.url);
    const added = [...rowsAdded(before, now).keys()].filter((place) => !place.startsWith('audit_entry'));
    expect([...rowsChanged(before, now), ...added]).toEqual([]);
  },
);

/** Each operation succeeds once. */
const ANSWERED = ROLES.filter(([{ name }]) => !name.endsWith('of their own'));
const things = await both.fill();

test.each(ANSWERED.map(named))('%s is answered what its rights allow', async (_name, { token: caller }, rights) => {
  // the worker is alive, though nobody beats its heart
  await context.db.worker.updateMany({ data: { lastSeenAt: new Date() } });
  const refused: string[] = [];
  for (const operation of all(things).filter(({ needs }) => needs === rights.at(-1))) {
    const errors = await ask(operation, things, caller);
    if (operation.mayAnswer !== undefined && errors[0]?.startsWith(operation.mayAnswer) === true) continue;
    if (errors.length > 0) refused.push(`${operation.field}: ${errors.join()}`);
  }
  expect(refused).toEqual([]);
});

test.each(WITHOUT)('%s is refused everything', async (name) => {
  const before = await rowsOf(both.api.postgres.url);
  const open: string[] = [];
  for (const operation of all(mine)) {
    const errors = await ask(operation, mine, byName(name).token);
    if (!errors.some((error) => /^(FORBIDDEN|UNAUTHENTICATED)/.test(error))) open.push(operation.field);
  }
  expect(open).toEqual([]);
  expect(rowsChanged(before, await rowsOf(both.api.postgres.url))).toEqual([]);
});

test.each(['who has a link', 'who has a link to a report'])(
  '%s is told nothing of other runs of its own project, and changes nothing',
  async (name) => {
    const before = await rowsOf(both.api.postgres.url);
    const other = await both.fill({ project: 'mine', mark: 'othermark' });
    const held = rowsAdded(before, await rowsOf(both.api.postgres.url));
    const hidden = [...idsOf(held, before)];
    const told: string[] = [];
    for (const { kind, field } of all(other)) {
      const random = randomGenerator(17, field);
      const draw = () => random.nextFloat();
      const { query, variables } = randomOperation(schema, kind, { things: other, field, draw });
      const { data } = await api.graphql(query, variables, bearer(byName(name).token ?? ''));
      const text = JSON.stringify(data ?? null);
      const asked = JSON.stringify(variables);
      if (hidden.some((id) => text.includes(id) && !asked.includes(id))) told.push(`${query}: ${text}`);
      if (kind === 'mutation' && Object.values(data ?? {}).some((one) => one !== null)) told.push(`${query}: ${text}`);
    }
    expect(told).toEqual([]);
    expect(rowsChanged(held, await rowsOf(both.api.postgres.url))).toEqual([]);
  },
);

/** The same things where there are none. */
function absent(things: Things): Things {
  const random = randomGenerator(11, 'absent');
  const hex = (length: number) => Array.from({ length }, () => random.nextInt(16).toString(16)).join('');
  const other = (value: string) =>
    value
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, () =>
        [8, 4, 4, 4, 12].map(hex).join('-'),
      )
      .replaceAll(/^[0-9a-f]{64}$/g, () => hex(64))
      .replaceAll(/770(\d{3})/g, '990$1')
      .replaceAll(things.mark, 'zqxabsent')
      .replaceAll(/^theirs$/g, 'absent');
  const members = Object.entries(things).map(([name, value]) => [
    name,
    typeof value === 'number' ? value + 220_000 : name.endsWith('Cursor') ? value : other(value),
  ]);
  return Object.fromEntries(members) as Things;
}

test('an administrator is answered of another project in the words of what is not there', async () => {
  const nowhere = absent(theirs);
  const caller = byName('an administrator').token;
  const wrong: string[] = [];
  const shown = async (
    operation: { kind: 'query' | 'mutation'; field: string },
    things: Things,
    draw: () => number,
  ) => {
    const { query, variables } = randomOperation(schema, operation.kind, { things, field: operation.field, draw });
    const { data, errors } = await api.graphql(query, variables, bearer(caller ?? ''));
    const text = JSON.stringify([data, errors]);
    return Object.entries(things)
      .toSorted(([, one], [, other]) => String(other).length - String(one).length)
      .reduce((left, [name, value]) => left.replaceAll(String(value), name), text)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
      .replaceAll(/warren_[\w-]+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
      .replaceAll(/[\d.]+(e-?\d+)?/g, 'N');
  };
  // texts of studies hold the word that is the other project's name
  for (const operation of all(theirs).filter(({ field }) => field !== 'studies')) {
    const { args } = { ...validReads(theirs), ...validWrites(theirs) }[operation.field]!;
    for (const index of args.keys()) {
      const drawing = () => {
        const random = randomGenerator(13, operation.field);
        const draws = [(index + 0.5) / args.length];
        return () => draws.shift() ?? random.nextFloat();
      };
      const [one, other] = [await shown(operation, theirs, drawing()), await shown(operation, nowhere, drawing())];
      if (one !== other) wrong.push(`${operation.field} ${index}:\n  ${one.slice(0, 600)}\n  ${other.slice(0, 600)}`);
    }
  }
  expect(wrong).toEqual([]);
});
