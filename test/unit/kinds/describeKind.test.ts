import { expect, test } from 'vitest';
import { describeKind } from '#src/kinds/command/describeKind.ts';
import { createColours } from '#src/base/terminal/colours.ts';

const terminal = { colours: createColours(false), width: () => 200 };

test('parameters within groups are explained under the paths that --set takes', () => {
  const lines = describeKind('sasrec', terminal).split('\n');
  const rowOf = (path: string) => lines.find((line) => line.startsWith(`${path} `)) ?? '';
  expect(rowOf('optimizer.learningRate')).toMatch(/number +0\.001 +Step size/);
  expect(rowOf('optimizer.smoothing.graph.weights.transitions')).toMatch(/number +1 +Weight of the graph/);
  expect(rowOf('dimension')).toMatch(/integer +64/);
});
