import { expect, test } from 'vitest';
import { chooseArithmetic } from '#workers/runtime/compute/runArithmetic.ts';
import { workingArithmetic } from '#workers/runtime/worker/workingArithmetic.ts';
import type { FusedSupport } from '#workers/wasm/calls/fusedSupport.ts';

const never = (): FusedSupport => {
  throw new Error('asked although nothing fused is wanted');
};

test('a run begins as its worker was told, and goes on as its checkpoint was computed', () => {
  expect(chooseArithmetic({ arithmetic: 'plain' }, never)).toMatchObject({ computes: 'plain', recorded: 'plain' });
  expect(chooseArithmetic({ arithmetic: 'fused' }, () => 'fused')).toEqual({
    ...{ computes: 'fused', recorded: 'fused', message: null },
  });
  expect(chooseArithmetic({ arithmetic: 'fused', checkpointArithmetic: 'plain' }, never)).toEqual({
    ...{ computes: 'plain', recorded: 'plain' },
    message: { level: 'info', text: 'goes on without fused multiply-adds, as it began' },
  });
  expect(chooseArithmetic({ arithmetic: 'plain', checkpointArithmetic: 'fused' }, () => 'fused')).toMatchObject({
    ...{ computes: 'fused', recorded: 'fused', message: { level: 'info' } },
  });
});

test.each(['engine', 'processor'] as const)(
  'a run that cannot go on as it began says so and is mixed: %s',
  (lacking) => {
    const { message, ...chosen } = chooseArithmetic(
      { arithmetic: 'plain', checkpointArithmetic: 'fused' },
      () => lacking,
    );
    expect(chosen).toEqual({ computes: 'plain', recorded: 'mixed' });
    expect(message?.level).toBe('warn');
    expect(message?.text).toMatch(/began with fused multiply-adds and goes on without/);
    expect(chooseArithmetic({ arithmetic: 'plain', checkpointArithmetic: 'mixed' }, never).recorded).toBe('mixed');
  },
);

test('where the engine has no fused multiply-adds, wanting them is an error that says what to do', () => {
  const message = /^WARREN_FUSED: V8 .* has no relaxed SIMD; use Node 20.19 or newer .*, or leave WARREN_FUSED off$/;
  expect(() => chooseArithmetic({ arithmetic: 'fused' }, () => 'engine')).toThrow(message);
  expect(() => workingArithmetic('fused', never, () => 'engine')).toThrow(
    expect.objectContaining({ code: 'BAD_INPUT', message: expect.stringMatching(message) }),
  );
});

test('where the processor rounds twice all the same, the numbers are plain ones, and a warning says so', () => {
  const warnings: string[] = [];
  expect(
    workingArithmetic(
      'fused',
      (text) => warnings.push(text),
      () => 'processor',
    ),
  ).toBe('plain');
  expect(warnings).toEqual([
    'WARREN_FUSED: this processor has no fused multiply-adds: numbers are those without WARREN_FUSED',
  ]);
  expect(chooseArithmetic({ arithmetic: 'fused' }, () => 'processor')).toMatchObject({
    ...{ computes: 'plain', recorded: 'plain', message: { level: 'warn' } },
  });
  expect(workingArithmetic('plain', never, never)).toBe('plain');
});
