import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { backendAdvice } from '#src/cli/doctor/backendAdvice.ts';
import { BACKEND_FIGURES } from '#src/base/contracts/backendFigures.ts';

const home = mkdtempSync(join(tmpdir(), 'warren-figures-'));
afterAll(() => rmSync(home, { recursive: true }));

function figures(seconds: Record<string, Record<string, number>>): void {
  const whole = { measuredAt: '2026-11-23T07:00:00.000Z', processor: 'a processor', seconds };
  writeFileSync(join(home, BACKEND_FIGURES), JSON.stringify(whole));
}

test('the doctor says nothing of epochs that were not measured, or on another processor', () => {
  expect(backendAdvice(join(home, 'nowhere'), 'wasm', 'a processor')).toEqual([]);
  figures({ sasrec: { wasm: 1, tensorflow: 2 } });
  expect(backendAdvice(home, 'wasm', 'another processor')).toEqual([]);
});

test('the doctor recommends a backend for the kinds for which it is clearly faster, and no other', () => {
  figures({ sasrec: { wasm: 1, tensorflow: 2 }, dlr2: { wasm: 2, tensorflow: 1.9 } });
  expect(backendAdvice(home, 'wasm', 'a processor')).toEqual([
    {
      subject: 'Epochs',
      level: 'ok',
      found: 'measured on 2026-11-23, beside wasm: sasrec tensorflow 2.00×; dlr2 tensorflow 0.95×',
    },
  ]);
  figures({ sasrec: { wasm: 1, tensorflow: 2 }, dlr2: { wasm: 2, tensorflow: 1 }, 'mf-bpr': { wasm: 1 } });
  expect(backendAdvice(home, 'wasm', 'a processor')).toMatchObject([
    { level: 'note', advice: 'WARREN_BACKEND=tensorflow for dlr2' },
  ]);
});

test('damaged figures are told', () => {
  writeFileSync(join(home, BACKEND_FIGURES), '{"seconds": {"sasrec": {"wasm": -1}}}');
  expect(backendAdvice(home, 'wasm', 'a processor')).toMatchObject([
    { level: 'note', found: expect.stringContaining('is damaged') },
  ]);
});
