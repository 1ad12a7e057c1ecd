import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiForTests } from '../support/apiForTests.ts';
import { pythonForTests } from '../support/pythonForTests.ts';

const api = await apiForTests();
const python = pythonForTests({ WARREN_API_URL: api.url });

it.skipIf(python === null)(
  'a program that changes its folder, as jobs of Hydra do, is recorded where it stands',
  async () => {
    writeFileSync(
      join(python!.folder, 'train.py'),
      `import os, sys
os.makedirs("outputs/0"); os.chdir("outputs/0")
import warren
from collections import UserList
run = warren.init(project="jobs", config={"sizes": UserList([16, None, {"act": UserList(["relu"])}]), "steps": range(3), "raw": b"ab"})
run.log({"loss": 1}); run.finish()
print(run.id)
`,
    );
    const launch = 'import subprocess, sys\nsubprocess.run([sys.executable, "train.py"], check=True)';
    const id = (await python!.run(launch)).trim();
    const { run } = await api.ok('query ($id: ID!) { run(id: $id) { environment configuration { parameters } } }', {
      id,
    });
    expect(run.environment.program).toBe(join(python!.folder, 'train.py'));
    expect(run.configuration.parameters).toEqual({
      sizes: [16, null, { act: ['relu'] }],
      steps: [0, 1, 2],
      raw: "b'ab'",
    });
  },
);

it.skipIf(python === null)('a name that init does not know is named, with the one that it looks like', async () => {
  const { code, stderr } = await python!.start('import warren\nwarren.init(proejct="x", entity="me")').ended;
  expect(code).toBe(1);
  expect(stderr).toContain('init: there is no option proejct (did you mean project?)\n');
});
