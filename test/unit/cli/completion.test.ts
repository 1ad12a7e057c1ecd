import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { createCommandContext } from '#src/base/terminal/commandContext.ts';
import { candidates } from '#src/cli/completion/candidates.ts';
import { COMPLETION_SCRIPTS } from '#src/cli/completion/completionScripts.ts';
import { capturedSurroundings } from '#test/integration/support/capturedSurroundings.ts';
import { createProgram } from '#src/cli/program.ts';

const program = createProgram(createCommandContext(capturedSurroundings([], {})));
const names = { projects: async () => ['default', 'other'], views: async () => ['best of each'] };
const words = async (...given: string[]) => (await candidates(program, given, names)).map(({ word }) => word);

test.each<[string[], string[]]>([
  [['comp'], ['compare', 'completion']],
  [['sweep', 'cr'], ['create']],
  [['lo'], ['logs']],
  [
    ['mcp', '--a'],
    ['--allow-changes', '--allow-commands'],
  ],
  [['logs', '12', '--f'], ['--follow']],
  [['run', 'sas'], ['sasrec']],
  [
    ['run', 'sasrec', '--see'],
    ['--seed', '--seeds'],
  ],
  [['run', 'sasrec', '--set', 'optimizer.learn'], ['optimizer.learningRate=']],
  [
    ['ls', '--format', ''],
    ['table', 'md', 'latex', 'csv', 'json'],
  ],
  [['ls', '--project', 'o'], ['other']],
  [['ls', '--view', ''], ['best of each']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['run', '--', 'py'], []],
  [['nonsense', '--wha'], []],
])('%j may become %j', async (given, expected) => {
  expect(await words(...given)).toEqual(expected);
});

test('presets and datasets are those of the catalog, and hidden commands stay hidden', async () => {
  expect(await words('run', 'mf-bpr', '--preset', '')).toContain('sevo/mf-bpr-beauty');
  expect(await words('run', 'mf-bpr', '--dataset', 'ml-')).toContain('ml-100k');
  expect(await words('')).not.toContain('complete');
});

test('bash fills in what it is told as one word, and sets no blank behind an equals sign', () => {
  const script = `warren() { case "$*" in *--view*) printf 'best * of\\n';; *) printf 'optimizer.learningRate=\\tabout it\\n'; esac; }
compopt() { echo "compopt:" "$@"; }
${COMPLETION_SCRIPTS.bash}
COMP_WORDS=(warren run sasrec --set opt); COMP_CWORD=4; _warren; echo "$COMPREPLY"
COMP_WORDS=(warren ls --view ''); COMP_CWORD=3; _warren; echo "$COMPREPLY"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toBe('compopt: -o nospace\noptimizer.learningRate=\nbest\\ \\*\\ of\n');
});
