import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { plainCommands } from '#test/integration/support/plainCommands.ts';

const CALL = 'npm run -s warren --';

test('what documents call is split into words as bash splits it', () => {
  const script = `# a comment
${CALL} ls 'kind = external and metric."a b" > 1' --columns seed,config.lr  # the end
${CALL} run x --set a="b c"'d' --name it#1 \\
  --seeds 1-3 -- python3 "train.py"
`;
  const printed = execFileSync('bash', ['-c', `npm() { printf '%s\\0' "$@"; printf '\\n\\0'; }\n${script}`]);
  const words = printed.toString().split('\n\0').filter(Boolean);
  expect(plainCommands(script)?.map((command) => command.words)).toEqual(
    words.map((text) => text.split('\0').slice(CALL.split(' ').length - 1, -1)),
  );
});

test('variables that are exported, or set before a call, go with it', () => {
  const script = `export A=1 B='x y'\n${CALL} ls\nC=3 ${CALL} show 1\n`;
  expect(plainCommands(script)).toEqual([
    { words: ['ls'], variables: { A: '1', B: 'x y' } },
    { words: ['show', '1'], variables: { A: '1', B: 'x y', C: '3' } },
  ]);
});

test.each([
  'ls | head',
  'ls > file',
  'ls "$HOME"',
  'ls ~/x',
  'ls *',
  'ls || true',
  'ls {a,b}',
  "ls 'open",
  'ls $(date)',
])('%s takes a shell', (words) => expect(plainCommands(`${CALL} ${words}`)).toBeNull());

test('what calls another program takes a shell', () => {
  expect(plainCommands(`curl example.org\n${CALL} ls`)).toBeNull();
});
