import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import * as browser from '#clients/typescript/browser.ts';
import * as node from '#clients/typescript/node.ts';

type Declared = {
  node: typeof import('#clients/typescript/declarations/node.mjs');
  browser: typeof import('#clients/typescript/declarations/browser.mjs');
};
/** Does not compile where something is declared for users that is not there, or that is another. */
const built: Declared = { node, browser };

test.each(['node', 'browser'] as const)('all that the client for %s has is declared', (name) => {
  const folder = join(projectRoot(), 'clients', 'typescript', 'declarations');
  const text = ['common', name].map((file) => readFileSync(join(folder, `${file}.d.mts`), 'utf8')).join('');
  const declared = [...text.matchAll(/^export (?:function|const|class) (\w+)/gm)].map(([, found]) => found);
  expect(Object.keys(built[name]).sort()).toEqual(declared.sort());
});
