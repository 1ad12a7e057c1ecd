import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { requireTrustedCommands } from '#src/base/platform/commandTrust.ts';
import { takeSecrets, withoutSecrets } from '#src/base/platform/processes/handedSecrets.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';

it('takes a secret from the file that a variable names, once', () => {
  const file = join(temporaryFolder(), 'database');
  writeFileSync(file, 'postgresql://warren:word@db.example/warren\n');
  const environment: NodeJS.ProcessEnv = { DATABASE_URL_FILE: file, WARREN_HOME: '/srv' };
  takeSecrets(environment);
  expect(environment).toEqual({ DATABASE_URL: 'postgresql://warren:word@db.example/warren', WARREN_HOME: '/srv' });
  expect(() => takeSecrets({ ...environment, DATABASE_URL_FILE: file })).toThrow('are both set');
  expect(() => takeSecrets({ REDIS_URL_FILE: `${file}.missing` })).toThrow(/^REDIS_URL_FILE: .*no such file/);
});

it('starts programs without what is secret', () => {
  const { open, secrets } = withoutSecrets({ DATABASE_URL: 'postgresql://…', PATH: '/bin' });
  expect([open.DATABASE_URL, open.PATH, JSON.parse(secrets)]).toEqual([
    undefined,
    '/bin',
    { DATABASE_URL: 'postgresql://…' },
  ]);
});

it('runs programs of others as the worker’s own user only where somebody has said so', () => {
  const settings = { allowCommands: true, commandUser: null, trustCommands: false };
  expect(() => requireTrustedCommands(settings, { tokensAsked: true })).toThrow('--command-user NAME');
  for (const change of [{ allowCommands: false }, { commandUser: 'lab' }, { trustCommands: true }]) {
    requireTrustedCommands({ ...settings, ...change }, { tokensAsked: true });
  }
  requireTrustedCommands(settings, { tokensAsked: false });
});
