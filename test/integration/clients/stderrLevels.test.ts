import { expect, it } from 'vitest';
import { pythonForTests } from '../support/pythonForTests.ts';
import { STDERR_LINES, TRACEBACK } from '../support/stderrLines.ts';

const python = pythonForTests();

it.skipIf(python === null)(
  'the Python client gives lines of stderr the levels that the other clients give them',
  async () => {
    const lines = STDERR_LINES.map(([line]) => line);
    const script = `
import json
from warren.stderr_level import StderrLevels
print(json.dumps([StderrLevels().level_of(line) for line in json.loads(${JSON.stringify(JSON.stringify(lines))})]))
levels = StderrLevels()
print(json.dumps([levels.level_of(line) for line in json.loads(${JSON.stringify(JSON.stringify([...TRACEBACK, '10 %', '  set in']))})]))
`;
    const [single, inTurn] = (await python!.run(script)).trim().split('\n');
    expect(JSON.parse(single!)).toEqual(STDERR_LINES.map(([, level]) => level));
    expect(JSON.parse(inTurn!)).toEqual([...TRACEBACK.map(() => 'error'), 'info', 'info']);
  },
);
