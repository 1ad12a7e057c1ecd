import { expect, it } from 'vitest';
import { issueToken } from '#src/people/apiTokens.ts';
import { CookieJar } from './support/cookieJar.ts';
import { waitUntil } from './support/waitUntil.ts';
import { codeOf, signInForTests } from './support/signInForTests.ts';

const { api, ask, bearer, context, origin, signedIn } = await signInForTests();

it('shows and changes people for admins of the whole server alone, and writes it down', async () => {
  const browser = await signedIn('ben');
  const PERSON = 'email seenAt role tokens links grants { project role byGroup }';
  const give =
    'mutation { grantUser(user: "ben@lab.example", grants: [{ project: "papers", role: ADMIN }]) { email } }';
  expect((await api.graphql(give, {}, bearer)).errors).toEqual([]);
  // who administers one project makes tokens for it, and is told nothing of people
  expect((await ask(browser, '{ server { caller { mayAdminister } } }')).data.server.caller.mayAdminister).toBe(true);
  const operations = [
    `{ users { ${PERSON} } }`,
    'mutation { disableUser(user: "ada@lab.example") { email } }',
    'mutation { grantUser(user: "ben@lab.example", grants: [{ project: "books", role: ADMIN }]) { email } }',
    'mutation { grantUser(user: "nobody", withdraw: ["books"]) { email } }',
  ];
  const tokens = [];
  for (const role of ['READ', 'WRITE'] as const)
    tokens.push((await issueToken(context, { name: `a ${role}`, role })).token);
  const inPapers = [{ project: 'papers', role: 'ADMIN' as const }];
  tokens.push((await issueToken(context, { name: 'of papers', role: 'ADMIN', grants: inPapers })).token);
  for (const operation of operations) {
    expect(codeOf(await ask(browser, operation))).toBe('FORBIDDEN');
    expect(codeOf(await ask(new CookieJar(origin), operation))).toBe('UNAUTHENTICATED');
    for (const token of tokens) {
      expect(codeOf(await api.graphql(operation, {}, { authorization: `Bearer ${token}` }))).toBe('FORBIDDEN');
    }
  }
  const issue =
    'mutation { issueToken(name: "of ben", role: READ, grants: [{ project: "papers", role: READ }]) { token } }';
  expect((await ask(browser, issue)).errors).toBeUndefined();
  const share = 'mutation { createShareLink(input: { project: "papers", title: "t" }) { address } }';
  expect((await ask(browser, share)).errors).toBeUndefined();

  const ada = await signedIn('ada');
  const { users } = (await ask(ada, `{ users { ${PERSON} } }`)).data;
  const ben = users.find(({ email }: { email: string }) => email === 'ben@lab.example');
  expect(ben).toEqual({
    ...{ email: 'ben@lab.example', role: null, tokens: ['of ben'], links: 1, seenAt: expect.any(String) },
    grants: [
      { project: 'papers', role: 'ADMIN', byGroup: false },
      { project: 'papers', role: 'WRITE', byGroup: true },
    ],
  });
  expect(Date.now() - Date.parse(ben.seenAt)).toBeLessThan(60_000);
  expect(codeOf(await ask(ada, 'mutation { disableUser(user: "ADA@lab.example") { email } }'))).toBe('CONFLICT');
  const shutOut = await ask(ada, `mutation { disableUser(user: "ben@lab.example") { ${PERSON} disabledAt } }`);
  expect(shutOut.data.disableUser).toMatchObject({ tokens: [], links: 0, disabledAt: expect.any(String) });
  await ask(ada, 'mutation { disableUser(user: "ben@lab.example", disabled: false) { email } }');
  const withdraw = await ask(
    ada,
    `mutation { grantUser(user: "ben@lab.example", withdraw: ["papers"]) { ${PERSON} } }`,
  );
  expect(withdraw.data.grantUser.grants).toEqual([{ project: 'papers', role: 'WRITE', byGroup: true }]);
  const written = (await ask(ada, '{ auditLog(first: 4) { actor action objects result details } }')).data.auditLog;
  const [who, subject] = ['ada@lab.example', 'ben@lab.example'];
  expect(written).toMatchObject([
    { actor: who, action: 'grantUser', objects: [subject], details: { user: subject, withdraw: ['papers'] } },
    { actor: who, action: 'disableUser', objects: [subject], details: { disabled: false } },
    {
      actor: who,
      action: 'disableUser',
      objects: [subject],
      details: { disabled: true, tokens: ['of ben'], links: 1 },
    },
    { actor: who, action: 'disableUser', objects: [], result: 'CONFLICT' },
  ]);
  await ask(ada, 'mutation { cancelRuns(ids: ["999999"]) { done } }');
  expect(
    (await ask(ada, '{ auditLog(first: 1) { action objects result } }')).data.auditLog,
    'nothing was done',
  ).toEqual([{ action: 'cancelRuns', objects: ['999999'], result: 'refused' }]);
});

it('has the right to queue commands given by those alone who have it, and taken away by all admins', async () => {
  const commander = await issueToken(context, { name: 'commander', role: 'ADMIN', mayQueueCommands: true });
  const may = { authorization: `Bearer ${commander.token}` };
  const RIGHTS = '{ mayQueueCommands grants { project role mayQueueCommands } }';
  const inBooks = (role: string) =>
    `mutation { grantUser(user: "ben@lab.example", grants: [{ project: "books", role: ${role}, mayQueueCommands: true }]) ${RIGHTS} }`;
  const everywhere = (given: boolean) =>
    `mutation { grantUser(user: "ben@lab.example", mayQueueCommands: ${given}) ${RIGHTS} }`;
  await signedIn('ben');
  for (const change of [inBooks('WRITE'), everywhere(true)]) {
    const refused = await api.graphql(change, {}, bearer);
    expect([codeOf(refused), refused.errors[0]?.message]).toEqual([
      'FORBIDDEN',
      expect.stringContaining('warren user grant ADDRESS --commands'),
    ]);
  }
  expect(codeOf(await api.graphql(inBooks('READ'), {}, may))).toBe('BAD_INPUT');
  expect((await api.graphql(inBooks('WRITE'), {}, may)).data?.grantUser).toEqual({
    mayQueueCommands: false,
    grants: expect.arrayContaining([{ project: 'books', role: 'WRITE', mayQueueCommands: true }]),
  });
  expect((await api.graphql(everywhere(true), {}, may)).data?.grantUser).toMatchObject({ mayQueueCommands: true });
  expect((await api.graphql(everywhere(false), {}, bearer)).data?.grantUser).toMatchObject({ mayQueueCommands: false });
  const withdraw = `mutation { grantUser(user: "ben@lab.example", withdraw: ["books"]) ${RIGHTS} }`;
  const written = await api.graphql('{ auditLog(first: 1) { action details } }', {}, bearer);
  expect(written.data?.auditLog).toMatchObject([
    { action: 'grantUser', details: { user: 'ben@lab.example', mayQueueCommands: false } },
  ]);
  expect((await api.graphql(withdraw, {}, bearer)).errors).toEqual([]);
});

it('voids the tokens that a disabled admin has made, and those that these have made, unless they are to go on', async () => {
  const browser = await signedIn('ada');
  const issue = (name: string) => `mutation { issueToken(name: "${name}", role: ADMIN) { token } }`;
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const first = as((await ask(browser, issue('of ada'))).data.issueToken.token);
  const second = as((await api.graphql(issue('of her token'), {}, first)).data.issueToken.token);
  const codes = () =>
    Promise.all([first, second].map(async (headers) => codeOf(await api.graphql('{ server { role } }', {}, headers))));
  const { tokens } = (await api.graphql('{ tokens { name madeBy } }', {}, bearer)).data;
  expect(tokens).toEqual(
    expect.arrayContaining([
      { name: 'of ada', madeBy: 'ada@lab.example' },
      { name: 'of her token', madeBy: 'of ada' },
    ]),
  );
  const disable = (rest: string) =>
    api.graphql(`mutation { disableUser(user: "ada@lab.example"${rest}) { disabledAt } }`, {}, bearer);
  expect((await disable(', keepTokens: true')).errors).toEqual([]);
  expect(await codes()).toEqual([undefined, undefined]);
  expect((await disable('')).errors).toEqual([]);
  await waitUntil('both to be void', async () => (await codes()).every((code) => code === 'UNAUTHENTICATED'));
  expect((await disable(', disabled: false')).errors).toEqual([]);
  expect(await codes()).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
});
