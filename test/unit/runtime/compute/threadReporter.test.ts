import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ControlBlock } from '#workers/runtime/shared/controlBlock.ts';
import type { ThreadReport } from '#workers/runtime/shared/threadMessages.ts';
import { ThreadReporter } from '#workers/runtime/compute/threadReporter.ts';

let folder: string;
let posts: ThreadReport[][];
let control: ControlBlock;
let reporter: ThreadReporter;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'warren-reporter-'));
  posts = [];
  control = new ControlBlock();
  reporter = new ThreadReporter({ control, folder, post: (reports) => posts.push(reports), now: () => 1234 });
});
afterEach(() => {
  reporter.post();
  rmSync(folder, { recursive: true });
});

describe('the reporter of a thread', () => {
  test('posts the first reports at once and a flood in batches, whole and in order', () => {
    reporter.metric('train/loss', 0, 1);
    expect(posts).toHaveLength(1);
    for (let step = 1; step < 5_000; step++) reporter.metric('train/loss', step, 1);
    reporter.post();
    expect(posts.length).toBeLessThan(100);
    const steps = posts.flat().map((report) => (report.type === 'metric' ? report.step : -1));
    expect(steps).toEqual(Array.from({ length: 5_000 }, (_, step) => step));
    expect(control.pending).toBe(5_000);
  });

  test.each(['Train/loss', '', 'train//loss', '/loss', 'train loss', 'x'.repeat(201), 'train/'])(
    'refuses the metric name %j',
    (name) => {
      expect(() => reporter.metric(name, 0, 1)).toThrow('metric name');
    },
  );

  test.each([-1, 0.5, Number.NaN, 2 ** 53])('refuses step %d', (step) => {
    expect(() => reporter.metric('a', step, 1)).toThrow('step');
  });

  test.each(['../a', '/a', 'a//b', 'a/./b', '', 'a\\b', 'checkpoint/latest'])(
    'refuses the artifact name %j',
    (name) => {
      expect(() => reporter.artifact(name, new Uint8Array(1), 'x/y')).toThrow('artifact name');
    },
  );

  test('copies the bytes of an artifact before it returns', () => {
    const bytes = new Uint8Array([1, 2, 3]);
    reporter.artifact('out/a.bin', bytes, 'x/y');
    bytes.fill(9);
    const [report] = posts.flat();
    if (report?.type !== 'file') throw new Error('no file');
    expect([...readFileSync(report.path)]).toEqual([1, 2, 3]);
    // sha256 of the bytes 01 02 03, by sha256sum
    expect(report.artifact.sha256).toBe('039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81');
  });

  test('sums timings, keeps notes, and keeps progress between 0 and 1', () => {
    reporter.timing('load', 1);
    reporter.timing('load', 0.5);
    reporter.note('ties', { share: Number.NaN });
    reporter.environment({ seed: 1 });
    reporter.progress(2, 'more than all');
    reporter.progress(Number.NaN, 'unknown');
    reporter.post();
    const reports = posts.flat();
    expect(reports[0]).toEqual({
      type: 'environment',
      values: { seed: 1, timings: { load: 1.5 }, notes: { ties: { share: null } } },
    });
    expect(reports.slice(1)).toMatchObject([{ fraction: 1 }, { fraction: 0 }]);
  });
});
