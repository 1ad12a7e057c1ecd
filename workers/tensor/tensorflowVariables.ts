/**
 * Sets what TensorFlow's library reads of the environment when it is loaded, where the user has not: it says only what went
 * wrong, computes an operation on `threads` threads, and takes memory of a GPU as it needs it, not all at once. Only the
 * main thread of a process can: the variables of others are copies, which no library sees.
 */
export function setTensorflowVariables(threads: number, environment: NodeJS.ProcessEnv = process.env): void {
  environment.TF_CPP_MIN_LOG_LEVEL ??= '2';
  environment.TF_NUM_INTRAOP_THREADS ??= String(threads);
  environment.TF_FORCE_GPU_ALLOW_GROWTH ??= 'true';
}
