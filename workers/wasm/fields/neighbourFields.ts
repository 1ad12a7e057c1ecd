// How `assembly/neighbours.ts` and `workers/graphs/nearestNeighbourGraph.ts` agree.

/** common / (|A| + |B| - common) */
export const JACCARD = 0;
/** common / sqrt(|A| |B|) */
export const COSINE = 1;

/** Buckets of the histogram of similarities from 0 to 1. */
export const SIMILARITY_BUCKETS = 1024;
/** Bytes of a lane's scratch for each node, beside the histogram: counts, met nodes, similarities, boundary values, bits. */
export const SCRATCH_BYTES_PER_NODE = 8 + 4 + 8 + 8 + 1;
export const SCRATCH_BYTES = 4 * SIMILARITY_BUCKETS + 8192;
