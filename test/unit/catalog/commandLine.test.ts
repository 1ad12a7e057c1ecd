import { expect, test } from 'vitest';
import { checkPlaceholders, filledCommand, unusedNote } from '#src/catalog/commandLine.ts';
import { commandParameters } from '#src/catalog/kinds/command.ts';

const command = (words: string[], own: Record<string, unknown> = {}) =>
  commandParameters.parse({ command: words, ...own });

test('parameters and the seed stand where their names are, other braces stay', () => {
  const parameters = command(['train', '--lr={lr}', '{name}-{seed}', '{"a":{"b":1}}', '{{lr}}', '{}'], {
    lr: 0.1,
    name: 'a b',
  });
  checkPlaceholders(parameters);
  expect(filledCommand(parameters, 7)).toEqual(['train', '--lr=0.1', 'a b-7', '{"a":{"b":1}}', '{lr}', '{}']);
});

test('a name with dots is a value within another one', () => {
  const parameters = command(['--lr={optimizer.lr}', '{optimizer}'], { optimizer: { lr: 0.1 }, depth: { max: 2 } });
  checkPlaceholders(parameters);
  expect(filledCommand(parameters, 1)).toEqual(['--lr=0.1', '{"lr":0.1}']);
  expect(unusedNote(parameters.command, ['optimizer.lr', 'depth.max'])).toMatch(
    /no argument of the command has \{depth.max\}:/,
  );
  expect(() => checkPlaceholders(command(['{optimizer.rate}'], { optimizer: { rat: 1 } }))).toThrow(/optimizer\.rat$/);
});

test('values that are no text are JSON, and what they hold is not filled again', () => {
  const parameters = command(['{layers}', '{text}'], { layers: [1, 2], text: '{layers}' });
  expect(filledCommand(parameters, 1)).toEqual(['[1,2]', '{layers}']);
});

test.each([
  [['train', '{rate}'], { rat: 1 }, /command\[1\]: \{rate\} has no value.*there is rat/],
  [['{seed}'], { seed: 1 }, /parameters\.seed: the seed of a run is given with seeds/],
])('%j with %j is refused', (words, own, message) => {
  expect(() => checkPlaceholders(command(words, own))).toThrow(message);
});

test('parameters that no argument has are named, since the program must look for them elsewhere', () => {
  expect(() => checkPlaceholders(command(['train'], { lr: 1 }))).not.toThrow();
  expect(unusedNote(['train', '{{lr}}', '{depth}'], ['lr', 'depth'])).toMatch(
    /no argument of the command has \{lr\}: .*run\.config/,
  );
  expect(unusedNote(['--lr={lr}'], ['lr'])).toBeNull();
});
