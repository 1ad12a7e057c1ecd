import { expect, test } from 'vitest';
import { issueToken } from '#src/people/apiTokens.ts';
import { bearer, twoProjectsForTests } from './support/twoProjects.ts';

const { api, context, ok, mine, theirs } = await twoProjectsForTests();

const SAVE = 'mutation ($input: SaveReportInput!) { saveReport(input: $input) { id number version title savedBy } }';
const save = async (input: Record<string, unknown>, token?: string) => (await ok(SAVE, { input }, token)).saveReport;
const refusal = async (input: Record<string, unknown>, token: string) => {
  const { errors } = await api.graphql(SAVE, { input }, bearer(token));
  return { code: errors[0]?.extensions.code, message: errors[0]?.message };
};
const { token: member } = await issueToken(context, {
  ...{ name: 'who writes', role: 'READ' as const },
  grants: [{ project: 'mine', role: 'WRITE' as const }],
});

/** A run with a metric of one value, ended. */
async function aRun(project: string, name: string, { seed, value }: { seed: number; value: number }): Promise<number> {
  const { createRun: run } = await ok('mutation ($input: CreateRunInput!) { createRun(input: $input) { id number } }', {
    input: { project, name, seed, parameters: { dropout: name } },
  });
  await ok('mutation ($id: ID!, $series: [MetricPointsInput!]!) { logMetrics(runId: $id, series: $series) }', {
    id: run.id,
    series: [{ name: 'test/ndcg@10', steps: [0, 1], values: [0.1, value] }],
  });
  await ok('mutation ($id: ID!) { finishRun(runId: $id, state: SUCCEEDED) { id } }', { id: run.id });
  return run.number;
}

test('each save is a version, and none is lost when two people edit', async () => {
  const first = await save({ project: 'mine', title: 'Dropout', text: 'one' }, member);
  expect(first).toMatchObject({ version: 1, title: 'Dropout', savedBy: 'who writes' });
  const again = await save({ id: first.id, basedOn: 1, text: 'one' }, member);
  expect(again.version, 'what is the same makes no version').toBe(1);
  // both edited version 1: one is saved, the other learns of it
  const both = await Promise.all(
    ['two', 'deux'].map((text) => api.graphql(SAVE, { input: { id: first.id, basedOn: 1, text } }, bearer(member))),
  );
  expect(both.map(({ errors }) => errors[0]?.extensions.code).sort()).toEqual(['CONFLICT', undefined]);
  expect(both.flatMap(({ errors }) => errors)[0]?.message).toContain('who writes saved version 2');
  await save({ id: String(first.number), basedOn: 2, title: 'Dropout helps' }, member);
  const { report } = await ok(
    'query ($id: ID!) { report(id: $id) { title version text first: text(version: 1) versions { version title savedBy } } }',
    { id: first.id },
  );
  expect(report).toMatchObject({ title: 'Dropout helps', version: 3, first: 'one' });
  expect(report.versions.map(({ version, title }: { version: number; title: string }) => [version, title])).toEqual([
    ...[
      [3, 'Dropout helps'],
      [2, 'Dropout'],
      [1, 'Dropout'],
    ],
  ]);
  const restored = await save({ id: first.id, basedOn: 3, text: report.first, title: 'Dropout' }, member);
  expect(restored.version).toBe(4);
});

test('what cannot be saved says what would be right', async () => {
  const { id } = await save({ project: 'mine', title: 't', text: '' });
  expect(await refusal({ project: 'mine' }, member)).toMatchObject({
    code: 'BAD_INPUT',
    message: expect.stringContaining('title'),
  });
  expect(await refusal({ title: 'x' }, member)).toMatchObject({
    message: expect.stringContaining('name of its project'),
  });
  expect(await refusal({ id, text: 'x' }, member)).toMatchObject({
    message: expect.stringContaining('basedOn: expected'),
  });
  expect(await refusal({ id, text: 'x', basedOn: 7 }, member)).toMatchObject({
    message: expect.stringContaining('the newest is 1'),
  });
  expect(await refusal({ id, text: 'x'.repeat(100_001), basedOn: 1 }, member)).toMatchObject({ code: 'TOO_LARGE' });
  expect(await refusal({ id: '9999', text: 'x', basedOn: 1 }, member)).toMatchObject({ code: 'NOT_FOUND' });
});

test('who may only read a project reads its reports, and of another project sees none', async () => {
  const { token: reader } = await issueToken(context, {
    ...{ name: 'reader', role: 'READ' as const },
    grants: [{ project: 'mine', role: 'READ' as const }],
  });
  const { reports } = await ok('{ reports { title project { name } } }', {}, reader);
  expect(new Set(reports.map(({ project }: { project: { name: string } }) => project.name))).toEqual(new Set(['mine']));
  const own = mine.targets.reports[1]!;
  expect((await refusal({ id: own, basedOn: 1, text: 'x' }, reader)).code).toBe('FORBIDDEN');
  const hidden = theirs.targets.reports[1]!;
  for (const token of [reader, member]) {
    const { errors } = await api.graphql(
      'query ($id: ID!) { report(id: $id) { text } }',
      { id: hidden },
      bearer(token),
    );
    expect(errors[0]?.extensions.code).toBe('NOT_FOUND');
  }
  expect((await refusal({ id: hidden, basedOn: 1, text: 'x' }, member)).code).toBe('NOT_FOUND');
  expect((await refusal({ project: 'theirs', title: 'x' }, member)).code).toMatch(/NOT_FOUND|FORBIDDEN/);
});

test('a deleted report waits in the trash until that is emptied', async () => {
  const { id, number } = await save({ project: 'mine', title: 'to be deleted', text: 'kept' });
  await ok('mutation ($id: ID!) { deleteReport(id: $id) { id } }', { id }, member);
  const titles = async (inTrash: boolean) =>
    (await ok('query ($t: Boolean!) { reports(project: "mine", inTrash: $t) { title } }', { t: inTrash })).reports.map(
      ({ title }: { title: string }) => title,
    );
  expect(await titles(false)).not.toContain('to be deleted');
  expect(await titles(true)).toContain('to be deleted');
  expect((await refusal({ id, basedOn: 1, text: 'x' }, member)).message).toContain('in the trash');
  await ok('mutation ($id: ID!) { restoreReport(id: $id) { id } }', { id: String(number) }, member);
  expect(await titles(false)).toContain('to be deleted');
  await ok('mutation ($id: ID!) { deleteReport(id: $id) { id } }', { id });
  const empty = 'mutation { emptyTrash(olderThanDays: 0, dryRun: false) { reports } }';
  expect((await ok(empty)).emptyTrash.reports).toBe(1);
  expect((await api.graphql('query ($id: ID!) { report(id: $id) { id } }', { id })).errors).toHaveLength(1);
  const { auditLog } = await ok('{ auditLog(first: 200) { action actor projects objects result } }');
  const deleted = auditLog.find(
    ({ action, actor }: Record<string, string>) => action === 'deleteReport' && actor === 'who writes',
  );
  expect(deleted).toMatchObject({ projects: ['mine'], objects: [String(number)], result: 'done' });
});

test('an old version shows the runs of when it was saved, names those that are gone, and shows today’s runs if asked', async () => {
  const { token: both } = await issueToken(context, {
    ...{ name: 'who sees both', role: 'READ' as const },
    grants: [
      { project: 'mine', role: 'WRITE' as const },
      { project: 'theirs', role: 'READ' as const },
    ],
  });
  const [first, second] = [
    await aRun('mine', 'pinned', { seed: 1, value: 0.25 }),
    await aRun('mine', 'pinned', { seed: 2, value: 0.75 }),
  ];
  const foreign = await aRun('theirs', 'pinned', { seed: 3, value: 0.9 });
  const matching = 'filter: name = pinned';
  const text = [
    `\`\`\`warren-table\n${matching}\nmetrics: test/ndcg@10\ncolumns: seed\n\`\`\``,
    `\`\`\`warren-table\n${matching}\nmetrics: test/ndcg@10\ngroup by: name\n\`\`\``,
    `\`\`\`warren-panel\n${matching}\nmetric: test/ndcg@10\nfirst: 1\n\`\`\``,
    '```warren-table\nfilter: stat = FAILED\n```',
    `\`\`\`warren-comparison\nruns: ${first}, ${second}\nmetrics: test/ndcg@10\n\`\`\``,
    `\`\`\`warren-table\nruns: ${first}, ${foreign}\n\`\`\``,
    '```warren-table\nfilter: name = nobody\n```',
  ].join('\n\n');
  const report = await save({ project: 'mine', title: 'Pinned', text }, both);
  const third = await aRun('mine', 'pinned', { seed: 4, value: 0.5 });
  await ok('mutation ($ids: [ID!]!) { deleteRuns(ids: $ids) { id } }', { ids: [String(first)] });
  await save({ id: report.id, basedOn: 1, title: 'Pinned, again' }, both);

  const PINS =
    'query ($id: ID!, $v: Int) { report(id: $id) { pins(version: $v) { block runs missing missingCount matched } } }';
  const pins = async (v: number, token: string) => (await ok(PINS, { id: report.id, v }, token)).report.pins;
  const gone = { missing: [first], missingCount: 1 };
  const none = { missing: [], missingCount: 0 };
  expect(await pins(1, both)).toEqual([
    { block: 0, runs: [second], ...gone, matched: 2 },
    { block: 1, runs: [second], ...gone, matched: 2 },
    { block: 2, runs: [second], ...none, matched: 2 },
    { block: 4, runs: [second], ...gone, matched: 2 },
    { block: 5, runs: expect.arrayContaining([foreign]), ...gone, matched: 2 },
    { block: 6, runs: [], ...none, matched: 0 },
  ]);
  expect((await pins(2, both))[0], 'each version has its own').toMatchObject({ runs: [third, second], ...none });
  expect((await pins(1, member))[4], 'runs of another project are not told').toEqual({
    ...{ block: 5, runs: [], ...gone, matched: 1 },
  });

  const MARKDOWN =
    'query ($id: ID!, $v: Int, $today: Boolean) { report(id: $id) { markdown(version: $v, today: $today) } }';
  const read = async (v: number, today: boolean): Promise<string> =>
    (await ok(MARKDOWN, { id: report.id, v, today }, member)).report.markdown;
  const old = await read(1, false);
  const row = (run: number, seed: number, value: string) => `| ${run} | pinned | succeeded | ${seed} | ${value} |`;
  expect(old).toContain(row(second, 2, '0.7500'));
  expect(old).not.toContain(`| ${third} |`);
  expect(old).toContain(`_Missing, since deleted or moved away: run ${first}._`);
  expect(old, 'the mean of the runs of then that are left').toMatch(/^\| pinned \| 1 \| 0\.7500/m);
  expect(old).toContain('_The first 1 of 2 runs._');
  expect(old).toContain('with the runs of when it was saved');
  const today = await read(1, true);
  expect(today).toContain(row(third, 4, '0.5000'));
  expect(today).toMatch(/tables and numbers as of \d{4}/);
  expect(await read(2, false), 'the newest version is live').toMatch(/tables and numbers as of \d{4}/);

  await ok('mutation ($ids: [ID!]!) { restoreRuns(ids: $ids) { id } }', { ids: [String(first)] });
  expect((await pins(1, both))[0], 'in the order of then').toEqual({
    ...{ block: 0, runs: [second, first], ...none, matched: 2 },
  });
});

test('exported Markdown has tables and numbers in the place of blocks and citations', async () => {
  const runs: number[] = [];
  for (const [name, offset] of [
    ['none', 0],
    ['half', 0.2],
  ] as const) {
    for (const seed of [1, 2, 3])
      runs.push(await aRun('mine', name, { seed, value: 0.5 + offset + (seed + (offset > 0 ? seed % 2 : 0)) / 100 }));
  }
  const list = runs.join(', ');
  const text = [
    `Run [[run ${runs[0]}]] ends at [[run ${runs[0]}: test/ndcg@10]]; \`[[run 1]]\` is code; see [[compare ${runs[0]}, ${runs[3]}]].`,
    `On average [[runs ${runs.slice(3).join(', ')}: test/ndcg@10]], not [[runs ${list}: lost]] of [[runs ${list}]].`,
    `> \`\`\`warren-table\n> runs: ${list}\n> metrics: test/ndcg@10\n> group by: name\n> baseline: ${runs[0]}\n> \`\`\``,
    `\`\`\`warren-comparison\nruns: ${list}\nmetrics: test/ndcg@10\n\`\`\``,
    `\`\`\`warren-comparison\nruns: ${list}\nshow: differences\n\`\`\``,
    `\`\`\`warren-panel\ntitle: A *figure*\nmetric: test/ndcg@10\nruns: ${list}\n\`\`\``,
    '```warren-table\nfilter: stat = FAILED\n```',
    `\`\`\`warren-table\nproject: theirs\n\`\`\``,
    `\`\`\`warren-table\nruns: ${theirs.targets.runs[1]}\n\`\`\``,
    '```warren-panel\nmetrc: x\n```',
    '```js\nkept();\n```',
  ].join('\n\n');
  const { id } = await save({ project: 'mine', title: 'All of it', text }, member);
  const { report } = await ok('query ($id: ID!) { report(id: $id) { markdown } }', { id }, member);
  const { markdown } = report;
  expect(markdown).toContain(
    `Run run ${runs[0]} (none, succeeded) ends at 0.5100; \`[[run 1]]\` is code; see comparison of runs ${runs[0]}, ${runs[3]}.`,
  );
  expect(markdown).toMatch(/On average 0\.7267 ± 0\.0115 \(3\), not runs [\d\W]+ have no lost of runs [\d\W]+\./);
  expect(markdown).toMatch(/^> \| name \| runs \| test\/ndcg@10 \| verdict \(p\) \|$/m);
  expect(markdown).toMatch(/^> \| half \| 3 \| \*\*0\.7267 ± 0\.0115\*\* \| better/m);
  expect(markdown).toMatch(/\| configuration \| dropout \| runs \| test\/ndcg@10 \| verdict \(p\) \|/);
  expect(markdown).toMatch(/\| dropout \| none \| half \|/);
  expect(markdown).toContain('**A \\*figure\\***');
  expect(markdown).toMatch(new RegExp(`\\| ${runs[5]} \\| half \\| succeeded \\| 0\\.7400 \\|`));
  expect(markdown).toContain('> This cannot be shown: filter, column 1: there is no field "stat"');
  expect(markdown).toContain('> This cannot be shown: there is no project');
  expect(markdown, 'runs of another project are none').toContain('_No run matches._');
  expect(markdown).toContain('> This cannot be shown: line 1: “metrc” is not known here.');
  expect(markdown).toContain('```js\nkept();\n```');
  expect(markdown).toMatch(
    /_Report \d+ of mine, version 1, saved by who writes on \d{4}-\d\d-\d\d; tables and numbers as of/,
  );
});

test('a report whose text begins with its title has it once in Markdown', async () => {
  const markdownOf = async (title: string, text: string): Promise<string> => {
    const { id } = await save({ project: 'mine', title, text }, member);
    return (await ok('query ($id: ID!) { report(id: $id) { markdown } }', { id }, member)).report.markdown;
  };
  expect(await markdownOf('Which lr?', '\n# Which lr? #\n\nThe small one.')).toMatch(
    /^# Which lr\?\n\nThe small one\.\n\n---\n/,
  );
  expect(await markdownOf('a_b', '# a_b\nText')).toMatch(/^# a\\_b\n\nText\n/);
  expect(await markdownOf('Title', '## Title\n')).toMatch(/^# Title\n\n## Title\n/);
  expect(await markdownOf('Title', '# Another\n')).toMatch(/^# Title\n\n# Another\n/);
});

test('where a report cites too many runs, no mean of some of them stands for that of all', async () => {
  const number = await aRun('mine', 'one', { seed: 1, value: 0.5 });
  const text = `[[run ${number}: test/ndcg@10]], [[runs 1000001-1000200: a]], [[runs 1000201-1000400: a]], [[runs ${number}, 1000401-1000500: test/ndcg@10]].`;
  const { id } = await save({ project: 'mine', title: 'Too many', text }, member);
  const { report } = await ok('query ($id: ID!) { report(id: $id) { markdown } }', { id }, member);
  expect(report.markdown).toContain(
    `0.5000, runs 1000001-1000200 have no a, runs 1000201-1000400 have no a, runs ${number}, 1000401-1000500 (the report cites more than 500 runs).`,
  );
});
