import { expect, test } from 'vitest';
import { openblasFinding } from '#src/cli/doctor/openblasFinding.ts';
import { openblasSupport } from '#workers/wasm/calls/openblasSupport.ts';
import { productSpeed } from '#workers/wasm/calls/productSpeed.ts';

const found = 'OpenBLAS 0.3 SkylakeX';
const reason = 'OpenBLAS is not installed';

test('doctor recommends OpenBLAS where it was measured to be clearly faster and is off', () => {
  expect(openblasFinding({ wanted: false, found, speed: { kernels: 30, library: 99 } })).toEqual({
    subject: 'OpenBLAS',
    level: 'note',
    found: `off; here: ${found}; products 3.3 times as fast (99 GFLOP/s, the kernels 30, on one thread)`,
    advice:
      'WARREN_OPENBLAS=on for workers, also where several share the cores: networks that multiply large matrices train faster; last bits differ',
  });
  const fused = openblasFinding({ wanted: false, found, speed: { kernels: 45, library: 99 } }, { isFused: true });
  expect(fused.advice).toContain('WARREN_OPENBLAS=on instead of WARREN_FUSED for workers');
});

test('doctor recommends nothing where it is on, or brings little, and against it where products are slower', () => {
  expect(openblasFinding({ wanted: true, found, speed: { kernels: 30, library: 99 } })).toEqual({
    subject: 'OpenBLAS',
    level: 'ok',
    found: `on (WARREN_OPENBLAS); here: ${found}; products 3.3 times as fast (99 GFLOP/s, the kernels 30, on one thread)`,
  });
  const little = openblasFinding({ wanted: false, found, speed: { kernels: 30, library: 33 } });
  expect([little.level, little.advice]).toEqual(['ok', undefined]);
  const slower = { kernels: 30, library: 10 };
  expect(openblasFinding({ wanted: false, found, speed: slower })).toMatchObject({ level: 'ok' });
  expect(openblasFinding({ wanted: true, found, speed: slower })).toMatchObject({
    ...{ level: 'note', advice: 'unset WARREN_OPENBLAS' },
    found: expect.stringContaining('products are slower by it'),
  });
});

test('doctor names the command where OpenBLAS is missing and the processor has wider vectors than WebAssembly', () => {
  const advice = (flags: string) => openblasFinding({ wanted: false, reason }, { flags }).advice;
  expect(advice('fpu sse2 avx2 fma avx512f avx512dq')).toMatch(
    /backend install openblas` .*AVX-512, vectors of 16 floats/,
  );
  expect(advice('fpu sse2 fma avx2')).toMatch(/AVX2, vectors of 8 floats/);
  expect(openblasFinding({ wanted: false, reason }, { flags: 'fpu sse2 avx' })).toEqual({
    ...{ subject: 'OpenBLAS', level: 'ok', found: `off; ${reason}` },
  });
  expect(openblasFinding({ wanted: true, reason }, { flags: 'avx512f' })).toEqual({
    ...{ subject: 'OpenBLAS', level: 'broken', found: reason, advice: 'install it, or unset WARREN_OPENBLAS' },
  });
});

const here = openblasSupport();
test.skipIf('reason' in here)('both ways of multiplying are timed', async () => {
  const { kernels, library } = await productSpeed('reason' in here ? '' : here.file);
  // no processor multiplies fewer than 10⁷ or more than 10¹³ numbers a second on one thread
  for (const speed of [kernels, library]) expect(Math.log10(speed)).toBeGreaterThan(-2);
  for (const speed of [kernels, library]) expect(Math.log10(speed)).toBeLessThan(4);
});
