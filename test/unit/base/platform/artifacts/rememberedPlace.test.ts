import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rememberedPlace, rememberPlace } from '#src/base/platform/artifacts/rememberedPlace.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'warren-place-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test('a home remembers where its artifacts are, and nothing where it has them itself: it may be moved', () => {
  const bucket = { bucket: 'lab', prefix: 'warren/', endpoint: null, region: 'eu-west-1' };
  expect(rememberedPlace(home)).toBeNull();
  expect(rememberPlace(home, bucket)).toBeNull();
  expect(rememberedPlace(home)).toEqual(bucket);
  expect(rememberPlace(home, bucket)).toBeNull();
  expect(rememberPlace(home, join(home, 'artifacts'))).toBe('s3://lab/warren');
  expect(rememberedPlace(home)).toBeNull();
});

test('a file that says nothing of use is ignored', () => {
  writeFileSync(join(home, 'artifact-store.json'), '{"bucket":');
  expect(rememberedPlace(home)).toBeNull();
});
