/** How long answers of PostgreSQL and Redis are waited for. */
export interface AnswerLimits {
  /** The database ends a statement after this many milliseconds. */
  statementMs: number;
  /**
   * A connection that has owed an answer for this many milliseconds is given up, and a transaction that its client left
   * open is ended. More than `statementMs`, so that a slow statement is told from a connection that died in silence.
   */
  silenceMs: number;
}

export const ANSWER_LIMITS: AnswerLimits = { statementMs: 15_000, silenceMs: 20_000 };

const LONG_STATEMENT_MS = 10 * 60_000;

/** Limits for work that may take long: exports, clean-up, migrations. */
export function forLongStatements({ statementMs, silenceMs }: AnswerLimits): AnswerLimits {
  return { statementMs: LONG_STATEMENT_MS, silenceMs: LONG_STATEMENT_MS + silenceMs - statementMs };
}
