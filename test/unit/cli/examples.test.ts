import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { findKind } from '#src/catalog/kinds.ts';
import { createCommandContext } from '#src/base/terminal/commandContext.ts';
import { capturedSurroundings } from '#test/integration/support/capturedSurroundings.ts';
import { createProgram } from '#src/cli/program.ts';

const program = createProgram(createCommandContext(capturedSurroundings([], {})));

function withAll(command: Command): Command[] {
  return [command, ...command.commands.flatMap(withAll)];
}

function examplesOf(command: Command): string[] {
  const parts: string[] = [];
  command.configureOutput({ writeOut: (part) => void parts.push(part) });
  command.outputHelp();
  return [
    ...parts
      .join('')
      .replaceAll(/\\\n\s*/g, '')
      .matchAll(/^ {2}warren (.+)$/gm),
  ].map(([, words]) => words!);
}

it('names commands, options and kinds that there are in every example of the help', () => {
  const examples = withAll(program).flatMap(examplesOf);
  expect(examples.length).toBeGreaterThan(70);
  for (const example of examples) {
    const words = example.replace(/ {3}.*| -- .*/, '').split(' ');
    let command = program;
    for (const word of words) {
      const found = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
      if (found === undefined) break;
      command = found;
    }
    expect(command, example).not.toBe(program);
    const known = command.options.map(({ long }) => long);
    for (const word of words.filter((each) => each.startsWith('--'))) expect(known, example).toContain(word);
    const [name, first] = words;
    const kind = name === 'run' ? first! : (/--kind (\S+)/.exec(example)?.[1] ?? '--');
    if (!kind.startsWith('--')) expect(findKind(kind), example).toBeDefined();
  }
});

it.each([
  [['help', 'sweep'], /^Usage: warren sweep /],
  [['sweep', 'help', 'create'], /^Usage: warren sweep create /],
])('explains a command that is named after help: %s', async (words, usage) => {
  const parts: string[] = [];
  for (const command of withAll(program))
    command.exitOverride().configureOutput({ writeOut: (part) => void parts.push(part) });
  await expect(program.parseAsync(words, { from: 'user' })).rejects.toMatchObject({ exitCode: 0 });
  expect(parts.join('')).toMatch(usage);
});
