import { expect, test } from 'vitest';
import { chooseArithmetic } from '#workers/runtime/compute/runArithmetic.ts';
import { workingArithmetic } from '#workers/runtime/worker/workingArithmetic.ts';
import type { ArithmeticProbes } from '#workers/runtime/shared/arithmeticProbes.ts';
import type { FusedSupport } from '#workers/wasm/calls/fusedSupport.ts';

const unasked = (): never => {
  throw new Error('asked for what is not wanted');
};
const never: ArithmeticProbes = { fused: unasked, openblas: unasked };
const fusedIs = (support: FusedSupport): ArithmeticProbes => ({ fused: () => support, openblas: unasked });
const OPENBLAS: ArithmeticProbes = { fused: unasked, openblas: () => ({ file: '/o.so', version: 'OpenBLAS 0.3' }) };
const NO_OPENBLAS: ArithmeticProbes = { fused: unasked, openblas: () => ({ reason: 'OpenBLAS is not installed' }) };

test('a run begins as its worker was told, and goes on as its checkpoint was computed', () => {
  expect(chooseArithmetic({ arithmetic: 'plain' }, never)).toMatchObject({ computes: 'plain', recorded: 'plain' });
  expect(chooseArithmetic({ arithmetic: 'fused' }, fusedIs('fused'))).toEqual({
    ...{ computes: 'fused', recorded: 'fused', message: null },
  });
  expect(chooseArithmetic({ arithmetic: 'fused', checkpointArithmetic: 'plain' }, never)).toEqual({
    ...{ computes: 'plain', recorded: 'plain' },
    message: { level: 'info', text: 'goes on without fused multiply-adds and OpenBLAS, as it began' },
  });
  expect(chooseArithmetic({ arithmetic: 'plain', checkpointArithmetic: 'fused' }, fusedIs('fused'))).toMatchObject({
    ...{ computes: 'fused', recorded: 'fused', message: { level: 'info' } },
  });
});

test.each(['engine', 'processor'] as const)(
  'a run that cannot go on as it began says so and is mixed: %s',
  (lacking) => {
    const { message, ...chosen } = chooseArithmetic(
      { arithmetic: 'plain', checkpointArithmetic: 'fused' },
      fusedIs(lacking),
    );
    expect(chosen).toEqual({ computes: 'plain', recorded: 'mixed' });
    expect(message?.level).toBe('warn');
    expect(message?.text).toMatch(/began with fused multiply-adds and goes on without/);
    expect(chooseArithmetic({ arithmetic: 'plain', checkpointArithmetic: 'mixed' }, never).recorded).toBe('mixed');
  },
);

test('where the engine has no fused multiply-adds, wanting them is an error that says what to do', () => {
  const message = /^WARREN_FUSED: V8 .* has no relaxed SIMD; use Node 20.19 or newer .*, or leave WARREN_FUSED off$/;
  expect(() => chooseArithmetic({ arithmetic: 'fused' }, fusedIs('engine'))).toThrow(message);
  expect(() => workingArithmetic('fused', unasked, fusedIs('engine'))).toThrow(
    expect.objectContaining({ code: 'BAD_INPUT', message: expect.stringMatching(message) }),
  );
});

test('where the processor rounds twice all the same, the numbers are plain ones, and a warning says so', () => {
  const warnings: string[] = [];
  expect(workingArithmetic('fused', (text) => warnings.push(text), fusedIs('processor'))).toBe('plain');
  expect(warnings).toEqual([
    'WARREN_FUSED: this processor has no fused multiply-adds: numbers are those without WARREN_FUSED',
  ]);
  expect(chooseArithmetic({ arithmetic: 'fused' }, fusedIs('processor'))).toMatchObject({
    ...{ computes: 'plain', recorded: 'plain', message: { level: 'warn' } },
  });
  expect(workingArithmetic('plain', unasked, never)).toBe('plain');
});

test('a run that began with OpenBLAS goes on with it, and is mixed where it is gone', () => {
  expect(chooseArithmetic({ arithmetic: 'openblas' }, OPENBLAS)).toEqual({
    ...{ computes: 'openblas', recorded: 'openblas', message: null },
  });
  const begun = { arithmetic: 'plain', checkpointArithmetic: 'openblas' } as const;
  expect(chooseArithmetic(begun, OPENBLAS)).toEqual({
    ...{ computes: 'openblas', recorded: 'openblas' },
    message: { level: 'info', text: 'goes on with OpenBLAS, as it began' },
  });
  expect(chooseArithmetic(begun, NO_OPENBLAS)).toEqual({
    ...{ computes: 'plain', recorded: 'mixed' },
    message: {
      level: 'warn',
      text: 'it began with OpenBLAS and goes on without, so its last bits are not those of a run in one go: OpenBLAS is not installed',
    },
  });
});

test('where OpenBLAS does not open, wanting it is an error that says why', () => {
  expect(() => chooseArithmetic({ arithmetic: 'openblas' }, NO_OPENBLAS)).toThrow(
    'WARREN_OPENBLAS: OpenBLAS is not installed',
  );
  expect(() => workingArithmetic('openblas', unasked, NO_OPENBLAS)).toThrow(
    expect.objectContaining({ code: 'BAD_INPUT', message: 'WARREN_OPENBLAS: OpenBLAS is not installed' }),
  );
});
