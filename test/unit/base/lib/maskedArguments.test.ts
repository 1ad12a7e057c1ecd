import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { maskedArguments } from '#src/base/lib/maskedArguments.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';

/** What programs are called with, and what is recorded of it. */
const CASES: readonly (readonly [given: readonly string[], recorded: readonly string[]])[] = [
  [
    ['--password', 'x y', '--lr', '0.1'],
    ['--password', '…', '--lr', '0.1'],
  ],
  [['--api-key=a=b'], ['--api-key=…']],
  [
    ['--pad-token', '<pad>', '--eosToken=</s>', 'model.mask_token=[MASK]'],
    ['--pad-token', '<pad>', '--eosToken=</s>', 'model.mask_token=[MASK]'],
  ],
  [
    ['TOKEN=x', 'HF_TOKEN=x', 'client.clientSecret=x', '+auth.token=x', '-Dclient.token=x'],
    ['TOKEN=…', 'HF_TOKEN=…', 'client.clientSecret=…', '+auth.token=…', '-Dclient.token=…'],
  ],
  [
    ['--apiKey', 'x', '--aws-secret-access-key', 'x', '--db_passwd', 'x', '--auth', 'me:x'],
    ['--apiKey', '…', '--aws-secret-access-key', '…', '--db_passwd', '…', '--auth', '…'],
  ],
  [
    ['-H', 'Authorization: Bearer x', 'postgres://me:x@host/db', 'https://host:80/a@b'],
    ['-H', 'Authorization: …', 'postgres://me:…@host/db', 'https://host:80/a@b'],
  ],
  [
    [
      '--token',
      '--verbose',
      '--max-tokens',
      '512',
      '--tokenizer',
      'bert',
      '--password-file',
      'f',
      '--key',
      'k',
      '--author',
      'me',
    ],
    [
      '--token',
      '--verbose',
      '--max-tokens',
      '512',
      '--tokenizer',
      'bert',
      '--password-file',
      'f',
      '--key',
      'k',
      '--author',
      'me',
    ],
  ],
  [
    ['password', 'token=', '--password', '-x', 'after', '--note', 'the token: abc\nmore'],
    ['password', 'token=', '--password', '…', 'after', '--note', 'the token: abc\nmore'],
  ],
];

it('what looks secret by its name is not recorded, the rest is', () => {
  for (const [given, recorded] of CASES) expect(maskedArguments(given)).toEqual(recorded);
});

it('the Python client masks the same', () => {
  if (spawnSync('python3', ['--version']).status !== 0) {
    if (process.env.CI === 'true') throw new Error('python3 is not installed');
    console.warn('skipped: python3 is not installed');
    return;
  }
  const script =
    'import json, sys; from warren.masking import masked_arguments; print(json.dumps([masked_arguments(one) for one in json.load(sys.stdin)]))';
  const { stdout, stderr } = spawnSync('python3', ['-c', script], {
    encoding: 'utf8',
    input: JSON.stringify(CASES.map(([given]) => given)),
    env: { ...process.env, PYTHONPATH: join(projectRoot(), 'clients', 'python') },
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual(CASES.map(([, recorded]) => recorded));
});
