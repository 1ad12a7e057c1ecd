import { beforeEach, expect, it, vi } from 'vitest';
import { fullSearch, shortSearch } from '#web/features/runs/keptLook.ts';
import { runsSearchSchema } from '#web/features/runs/runsSearch.ts';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
});

const many = (from: number) =>
  Array.from({ length: 1_000 }, (_, index) => `metric."group/metric-${from + index}"`).join(',');
const search = (text: Record<string, string>) => runsSearchSchema.parse(text);

it('an address has what fits into it, and the browser keeps the rest under a short name', () => {
  const few = search({ project: 'papers', columns: 'name,state' });
  expect(shortSearch(few)).toMatchObject({ project: 'papers', columns: 'name,state', kept: undefined });
  const long = search({ project: 'papers', filter: 'seed = 1', columns: many(0), widths: 'name:300' });
  const short = shortSearch(long);
  expect(short).toMatchObject({ project: 'papers', filter: 'seed = 1', columns: undefined, widths: undefined });
  expect(short.kept).toMatch(/^[a-z0-9]{1,7}$/);
  expect(fullSearch(search({ project: 'papers', filter: 'seed = 1', kept: short.kept! }))).toMatchObject({
    ...{ project: 'papers', filter: 'seed = 1', columns: many(0), widths: 'name:300' },
  });
  expect(shortSearch({ ...long, columns: 'name' }).kept).toBeUndefined();
});

it('an address of another browser has nothing to show, and old choices are forgotten', () => {
  expect(fullSearch(search({ kept: 'abc' }))).toBeNull();
  const first = shortSearch(search({ columns: many(0) }));
  for (let choice = 1; choice <= 20; choice++) shortSearch(search({ columns: many(choice) }));
  expect(fullSearch(first)).toBeNull();
});
