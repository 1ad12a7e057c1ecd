import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { isPlainObject } from '#src/base/lib/plainObject.ts';
import { projectRoot } from '#src/base/lib/projectRoot.ts';
import { WARREN_VARIABLES } from '#src/base/platform/environment.ts';

const chart = join(projectRoot(), 'docs', 'deploy', 'chart');
const templates = readdirSync(join(chart, 'templates')).map((name) => ({
  name,
  text: readFileSync(join(chart, 'templates', name), 'utf8'),
}));

test('the chart sets variables that Warren reads, and is of its version', () => {
  const names = templates.flatMap(({ text }) =>
    [...text.matchAll(/name: ([A-Z][A-Z_]+)\b/g)].map((found) => found[1]!),
  );
  const ofPostgres = ['POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD', 'PGDATA'];
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => ![...WARREN_VARIABLES, ...ofPostgres].includes(name))).toEqual([]);
  const { version } = JSON.parse(readFileSync(join(projectRoot(), 'package.json'), 'utf8'));
  expect(parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'))).toMatchObject({ version, appVersion: version });
});

test('the chart uses the values that it lists, all of them', () => {
  const values: unknown = parse(readFileSync(join(chart, 'values.yaml'), 'utf8'));
  const text = templates.map((template) => template.text).join('\n');
  const used = new Set([...text.matchAll(/\.Values((?:\.\w+)+)/g)].map((found) => found[1]!.slice(1)));
  const listed = (value: unknown, path: string[]): string[] =>
    isPlainObject(value) && Object.keys(value).length > 0 && !used.has(path.join('.'))
      ? Object.entries(value).flatMap(([name, member]) => listed(member, [...path, name]))
      : [path.join('.')];
  expect([...used].toSorted()).toEqual(listed(values, []).toSorted());
});
