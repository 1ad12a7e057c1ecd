/** What one request may ask for. The dashboard's largest query uses a small part of each. */
export const LIMITS = {
  /** Tokens of a document: bounds the work of the parser itself. */
  tokens: 5_000,
  /** Fields inside fields, introspection apart. */
  depth: 12,
  /** Aliased fields of a document. */
  aliases: 60,
  /** Cost of an operation: objects that it may have to fetch. */
  cost: 25_000,
  /** Cost of the operations that one token has under way at once over HTTP; further ones wait. */
  costAtOnce: 50_000,
  /** What every operation costs beside its objects, so that at most ten are under way. */
  operationCost: 5_000,
  /** Operations of one token that may wait. */
  waitingOperations: 500,
  /** Entries of one page. */
  pageSize: 500,
  /** Bytes of one answer, beside its runs themselves: texts, lines, parameters, points. */
  answerBytes: 8 * 1024 * 1024,
  /** Lines of one page of a log. */
  logLines: 5_000,
  /** Events of a run in one page. */
  events: 500,
  /** Points of one series in one metricHistory. */
  points: 20_000,
  /** Runs that one subscription may follow by id. */
  followedRuns: 500,
  /** Live subscriptions of one socket. */
  subscriptions: 50,
  /** Cost of all live subscriptions of one socket, each times the runs that it follows. */
  socketCost: 10_000,
  /** Messages that may be under way on one socket: its subscriptions read no more until one has left. */
  socketMessages: 2,
  /** Bytes of one WebSocket message. */
  socketMessageBytes: 256 * 1024,
  /** Bytes of one HTTP request. */
  bodyBytes: 1024 * 1024,
  /** Bytes of one HTTP request that only logs metrics, lines or media. */
  logBodyBytes: 8 * 1024 * 1024,
} as const;
