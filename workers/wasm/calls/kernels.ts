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

/** The numbers that a kernel takes beside the lanes, with their names. */
export type KernelParameters<Name extends KernelName> = KernelExports[Name] extends (
  lane: number,
  lanes: number,
  ...parameters: infer Given extends number[]
) => unknown
  ? Given
  : never;

export type { LaneKernel };
