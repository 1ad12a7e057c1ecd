// How the caller and the lanes of a fork-join agree, in the first page of the shared memory: 32-bit words, then the
// parameters of the call as doubles, then the text of a failure.

export const CONTROL_ADDRESS = 32_768;
/** Counts the calls; a lane starts when it changes. */
export const CALL = 0;
/** Parts of the call that are not finished, beside the caller's own. */
export const PENDING = 1;
/** Index of the kernel among the module's exports. */
export const KERNEL = 2;
/** Lanes that sleep until CALL changes. */
export const ASLEEP = 3;
/** 1 while the caller sleeps until PENDING is 0. */
export const CALLER_ASLEEP = 4;
/** 1 when the lanes shall end. */
export const STOP = 5;
/** Bytes of the text of the first failure of a part, or 0. */
export const FAILURE = 6;
/** The next part that nobody has begun; at least as many as there are lanes where all are. */
export const NEXT_PART = 7;
/** How often a waiting thread looks at the memory before it sleeps. */
export const SPINS = 8;
export const CONTROL_WORDS = 16;
export const PARAMETERS_ADDRESS = CONTROL_ADDRESS + 64;
export const MAXIMUM_PARAMETERS = 24;
export const FAILURE_ADDRESS = PARAMETERS_ADDRESS + 8 * MAXIMUM_PARAMETERS;
export const FAILURE_BYTES = 1024;

/** Some 50 µs, where there is a core for every thread: waking one takes longer than a small kernel. */
export const MOST_SPINS = 12_000;
/** Where other programs want the cores, too: looking on would keep them, and the caller, from computing. */
export const FEWEST_SPINS = 500;
