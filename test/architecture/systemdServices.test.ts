import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';

const isHere = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!isHere) console.log('skipped, as there is no systemd-analyze: the services of docs/deploy');

/** How much a service may do that it does not need, from 0 to 10, as systemd counts. */
const MOST_EXPOSED = { 'warren-api.service': 2, 'warren-worker.service': 7.7 };

it.skipIf(!isHere).each(Object.entries(MOST_EXPOSED))('%s is closed as far as it can be', (name, most) => {
  const path = join(projectRoot(), 'docs', 'deploy', name);
  const judged = spawnSync('systemd-analyze', ['security', '--offline=true', path], { encoding: 'utf8' });
  const exposure = /Overall exposure level for [\w.-]+: ([\d.]+)/.exec(judged.stdout)?.[1];
  expect(Number(exposure)).toBeLessThanOrEqual(most);
  // of a setting that it does not know it says so, and goes on
  const { stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' });
  const said = stderr.split('\n').filter((line) => line !== '' && !line.includes('.bin/warren is not executable'));
  expect(said.filter((line) => line.includes(name))).toEqual([]);
});
