import { createRequire } from 'node:module';
import type koffi from 'koffi';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';

/**
 * C = `beta` C + A B as WebAssembly calls it: 1 for what lies transposed, sizes, and of each matrix its address in the memory
 * and the floats from row to row.
 */
export type MemoryProduct = (
  ...call: [
    ...[transposeA: number, transposeB: number, rows: number, columns: number, depth: number],
    ...[a: number, lda: number, b: number, ldb: number, beta: number, c: number, ldc: number],
  ]
) => void;

/** OpenBLAS, opened in this thread. */
export interface ProductLibrary {
  /** As it tells of itself, with the processor whose code it chose: `OpenBLAS 0.3.30 SkylakeX`. */
  version: string;
  /** Products of single-precision matrices that lie in `memory`, on the thread that calls. */
  productIn(memory: WebAssembly.Memory): MemoryProduct;
  /**
   * A symmetric positive definite row-major `matrix` (n, n), of which only the lower triangle is read and written, becomes its
   * Cholesky factor, by LAPACK's dpotrf on `threads` threads; false, with anything in the triangle, where it has none.
   */
  factor(matrix: Float64Array, n: number, threads: number): boolean;
  /** That factor becomes the inverse of the matrix, by dpotri: its lower triangle. False where a pivot is zero. */
  invertFactor(matrix: Float64Array, n: number, threads: number): boolean;
}

/** How cblas names what it is told. */
const [ROW_MAJOR, AS_IT_LIES, TRANSPOSED] = [101, 111, 112];

/** How builds of OpenBLAS name their functions: its own, SciPy's, and both with sizes of 64 bits. */
const NAMINGS = [
  { prefix: '', suffix: '', size: 'int' },
  { prefix: 'scipy_', suffix: '', size: 'int' },
  { prefix: 'scipy_', suffix: '64_', size: 'int64_t' },
  { prefix: '', suffix: '64_', size: 'int64_t' },
] as const;

const opened = new Map<string, ProductLibrary>();

/**
 * OpenBLAS in the file `file`, called by koffi. It computes on the thread that calls it: the kernels' lanes share out the work.
 * @throws WarrenError UNAVAILABLE where koffi is not installed, or the file is not an OpenBLAS that this machine can open.
 */
export function openProductLibrary(file: string): ProductLibrary {
  const known = opened.get(file);
  if (known !== undefined) return known;
  try {
    const library = open(file, createRequire(import.meta.url)('koffi'));
    opened.set(file, library);
    return library;
  } catch (thrown) {
    const { message } = coerceError(thrown);
    throw new WarrenError('UNAVAILABLE', `OpenBLAS in ${file} does not open: ${message.split('\n')[0]}`, {
      cause: thrown,
    });
  }
}

function open(file: string, { load, address }: typeof koffi): ProductLibrary {
  const library = load(file);
  const isHere = (name: string): boolean => {
    try {
      library.func(`void ${name}()`);
      return true;
    } catch {
      return false;
    }
  };
  const naming = NAMINGS.find(({ prefix, suffix }) => isHere(`${prefix}openblas_get_config${suffix}`));
  if (naming === undefined) throw new Error('it has no openblas_get_config, so it is another library');
  const { prefix, suffix, size } = naming;
  const text = (name: string): string => String(library.func(`const char *${prefix}${name}${suffix}()`)());
  const setThreads = library.func(`void ${prefix}openblas_set_num_threads${suffix}(int threads)`);
  setThreads(1);
  const lapack = (name: string) => {
    const call = library.func(
      `void ${prefix}${name}_${suffix}(const char *uplo, ${size} *n, double *a, ${size} *lda, ${size} *info, size_t length)`,
    );
    return (matrix: Float64Array, n: number, threads: number): boolean => {
      const whole = (value: number) => (size === 'int' ? Int32Array.of(value) : BigInt64Array.of(BigInt(value)));
      const info = whole(0);
      setThreads(threads);
      try {
        // LAPACK counts by columns: its upper triangle is the lower one by rows.
        call('U', whole(n), matrix, whole(n), info, 1);
      } finally {
        setThreads(1);
      }
      return Number(info[0]) === 0;
    };
  };
  const sizes = `${size} m, ${size} n, ${size} k`;
  const operands = `intptr_t a, ${size} lda, intptr_t b, ${size} ldb, float beta, intptr_t c, ${size} ldc`;
  const multiply = library.func(
    `void ${prefix}cblas_sgemm${suffix}(int order, int transposeA, int transposeB, ${sizes}, float alpha, ${operands})`,
  );
  return {
    version: [...text('openblas_get_config').split(' ').slice(0, 2), text('openblas_get_corename')].join(' '),
    factor: lapack('dpotrf'),
    invertFactor: lapack('dpotri'),
    productIn(memory) {
      // Memory that threads share stays where it is, also when it grows.
      const base = Number(address(new Uint8Array(memory.buffer)));
      return (transposeA, transposeB, rows, columns, depth, a, lda, b, ldb, beta, c, ldc) => {
        const left = transposeA === 0 ? AS_IT_LIES : TRANSPOSED;
        const right = transposeB === 0 ? AS_IT_LIES : TRANSPOSED;
        // WebAssembly gives addresses above 2 GiB as negative numbers.
        const [fromA, fromB, to] = [base + (a >>> 0), base + (b >>> 0), base + (c >>> 0)];
        multiply(ROW_MAJOR, left, right, rows, columns, depth, 1, fromA, lda, fromB, ldb, beta, to, ldc);
      };
    },
  };
}
