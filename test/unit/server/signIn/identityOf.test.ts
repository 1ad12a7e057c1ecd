import { expect, it } from 'vitest';
import { identityOf } from '#src/server/signIn/openidProvider.ts';

const settings = { groupsClaim: 'groups', verifiedClaim: 'email_verified' };

it.each([
  ['both say so', { email_verified: true }, { email_verified: 'true' }, true],
  ['one says so', {}, { email_verified: true }, true],
  ['none says it', {}, {}, false],
  ['one says no', { email_verified: false }, { email_verified: true }, false],
  ['it is said of another address', {}, { email: 'other@lab.example', email_verified: true }, false],
])(
  'takes an address for verified only where the provider says so of this address: %s',
  (_, first, second, verified) => {
    const base = { sub: 's', email: 'ann@lab.example' };
    const identity = identityOf(
      [
        { ...base, ...first },
        { ...base, ...second },
      ],
      settings,
    );
    expect(identity).toMatchObject({ subject: 's', email: 'ann@lab.example', emailVerified: verified });
  },
);

it('takes the word of Entra by its own claim', () => {
  const claims = [
    { sub: 's', email: 'ann@lab.example' },
    { sub: 's', email: 'ann@lab.example', xms_edov: '1' },
  ];
  expect(identityOf(claims, { ...settings, verifiedClaim: 'xms_edov' }).emailVerified).toBe(true);
  expect(identityOf(claims, settings).emailVerified).toBe(false);
});
