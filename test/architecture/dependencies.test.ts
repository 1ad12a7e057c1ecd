import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { projectRoot } from '#src/base/lib/projectRoot.ts';

const lockSchema = z.object({ packages: z.record(z.string(), z.looseObject({ version: z.string().optional() })) });

test('no package brings an older tar, which can be made to write outside of its folder', () => {
  const lock = lockSchema.parse(JSON.parse(readFileSync(join(projectRoot(), 'package-lock.json'), 'utf8')));
  const found = Object.entries(lock.packages).filter(([path]) => path.endsWith('node_modules/tar'));
  expect(found.map(([, { version }]) => Number.parseInt(version ?? '', 10))).toEqual([7]);
});
