import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { loggedRuns } from '../support/loggedRuns.ts';
import { pythonForTests } from '../support/pythonForTests.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });
const { runOf, history } = loggedRuns(api);

it.skipIf(python === null)('no object of Python stops a program as a value, and all others arrive', async () => {
  const script = readFileSync(join(projectRoot(), 'test/integration/clients/anyValue.py'), 'utf8');
  const printed = await python!.run(script);
  const [values, refused] = printed.split('\n')[0]!.split(' ').map(Number);
  expect(refused, 'nothing that the server does not take is sent').toBe(0);
  const found = await runOf(printed);
  expect(found.state).toBe('SUCCEEDED');
  expect((await history(found.id, 'fine')).steps).toHaveLength(values!);
  const { parameters } = found.configuration;
  expect(parameters.fine).toBe(1);
  expect(parameters['value 6'], 'exactly, though JavaScript would round it').toBe(String(2 ** 53).replace(/2$/, '3'));
  expect(Object.keys(parameters).filter((name) => name.startsWith('value ')).length).toBeGreaterThan(values! * 0.9);
});
