/** One try at a run, as its token names it. */
export interface RunAttempt {
  runId: string;
  number: number;
}
