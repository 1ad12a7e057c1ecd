import { PARAMETER_NAMES } from '../generated/parameterNames.ts';
import type { instantiate } from '../generated/kernels.d.ts';

/** What `dist/kernels.wasm` exports, as its compiler says. Addresses are bytes in the shared memory. */
export type KernelExports = Awaited<ReturnType<typeof instantiate>>;

type LaneKernel = (lane: number, lanes: number, ...parameters: number[]) => void;

/**
 * Kernels of `assembly/` that every lane of a `ParallelKernels` runs at once, as `name(lane, lanes, ...parameters)`:
 * each splits its work by lane in a fixed way.
 */
export type KernelName = {
  [Name in keyof KernelExports]: KernelExports[Name] extends (lane: number, lanes: number, ...rest: never[]) => void
    ? Parameters<KernelExports[Name]> extends [lane: number, lanes: number, ...unknown[]]
      ? Name
      : never
    : never;
}[keyof KernelExports];

type Positional<Name extends KernelName> = KernelExports[Name] extends (
  lane: number,
  lanes: number,
  ...parameters: infer Given extends number[]
) => unknown
  ? Given
  : never;

/** The numbers that a kernel takes beside the lanes, by their names in `assembly/`. */
export type NamedParameters<Name extends KernelName> = Readonly<
  Record<(typeof PARAMETER_NAMES)[Name & keyof typeof PARAMETER_NAMES][number], number>
>;

/** Their last parameters are lists of as many numbers as a tensor has dimensions: names would say less. */
type WithLists = 'binary' | 'compare' | 'stridedCopy';

/** What a kernel is called with: up to six numbers in their order, more by their names. */
export type KernelParameters<Name extends KernelName> = Name extends WithLists
  ? Positional<Name>
  : Positional<Name> extends [unknown, unknown, unknown, unknown, unknown, unknown, unknown, ...unknown[]]
    ? [named: NamedParameters<Name>]
    : Positional<Name>;

/** The numbers of a call in the kernel's order. */
export function inOrder(
  name: KernelName,
  given: readonly [Readonly<Record<string, number>>] | readonly number[],
): readonly number[] {
  const [named] = given;
  if (typeof named !== 'object') return given as readonly number[];
  const names: readonly string[] = PARAMETER_NAMES[name as keyof typeof PARAMETER_NAMES];
  const numbers: number[] = [];
  for (let place = 0; place < names.length; place++) {
    const value = named[names[place]!];
    if (value === undefined) throw new Error(`internal: kernel ${name} was called without ${names[place]}`);
    numbers.push(value);
  }
  return numbers;
}

export type { LaneKernel };
