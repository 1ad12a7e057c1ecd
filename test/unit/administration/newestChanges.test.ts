import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { newestChanges } from '#src/administration/newestChanges.ts';

const CHANGELOG = `# Changes

## Unreleased

### Sweeps

- Sweeps sing.

## 0.1.0

- The first version.
`;

test('what is not released yet comes before the newest version', () => {
  expect(newestChanges(CHANGELOG)).toBe('Unreleased\n\n### Sweeps\n\n- Sweeps sing.');
});

test('a section without entries is passed over', () => {
  expect(newestChanges(CHANGELOG.replace('- Sweeps sing.\n', ''))).toBe('0.1.0\n\n- The first version.');
  expect(newestChanges('# Changes\n')).toBe('');
});

test('a long section ends after an entry, and says how many more there are and where', () => {
  const text = '## 0.2.0\n\n- One.\n- Two,\n  with more.\n- Three.\n';
  const told = (left: string) =>
    `\n\n### Not shown here\n\n- Of this long list, ${left} in \`CHANGELOG.md\` beside the programs, under "0.2.0".`;
  expect(newestChanges(text, 30)).toBe(`0.2.0\n\n- One.${told('the last 2 entries are')}`);
  expect(newestChanges(text, 35)).toBe(`0.2.0\n\n- One.\n- Two,\n  with more.${told('the last entry is')}`);
  expect(newestChanges(text, 3)).toBe(`0.2.0${told('the last 3 entries are')}`);
  expect(newestChanges(text)).not.toContain('Not shown here');
});

test('the changelog beside the programs begins with what is not released, or with their version', () => {
  const { version } = JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8'));
  const [name] = newestChanges(readFileSync(join(projectRoot(), 'CHANGELOG.md'), 'utf8')).split('\n');
  expect(['Unreleased', version]).toContain(name);
});
