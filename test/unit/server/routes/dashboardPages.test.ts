import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { DASHBOARD_PAGES } from '#src/server/routes/dashboard.ts';

test('the server knows the pages of the dashboard’s router', () => {
  const router = readFileSync(join(projectRoot(), 'web/app/router.tsx'), 'utf8');
  const paths = [...router.matchAll(/\bpath: '\/([^'/]*)/g)]
    .map((match) => match[1]!)
    .filter((name) => !name.startsWith('$'));
  expect(paths.length).toBeGreaterThan(3);
  expect(new Set(paths)).toEqual(DASHBOARD_PAGES);
});
