import { expect, it } from 'vitest';
import { ROLES, roleMeaning, roleName } from '#web/lib/roles.ts';
import { rightsOf } from '#web/features/administration/userText.ts';

it('calls roles by plain words', () => {
  expect(ROLES.map(roleName)).toEqual(['May read', 'May write', 'Admin']);
  expect(roleMeaning('WRITE')).toBe('May write: queues, logs and changes runs, too');
});

it('says what somebody may do by plain words', () => {
  const user = {
    ...{
      id: '1',
      issuer: 'https://idp.example',
      subject: 'ann',
      label: 'ann@lab.example',
      email: 'ann@lab.example',
      emailVerified: true,
      name: '',
      signedInAt: '2026-01-02T00:00:00Z',
      seenAt: null,
      disabledAt: null,
    },
    ...{ tokens: [], links: 0 },
    ...{ role: 'READ' as const, mayQueueCommands: false },
    grants: [{ project: 'papers', role: 'WRITE' as const, mayQueueCommands: true, byGroup: true }],
  };
  expect(rightsOf(user)).toEqual(['all projects: May read (by a group)', 'papers: May write, commands (by a group)']);
});
