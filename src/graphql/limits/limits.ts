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
  /** Entries of one page. */
  pageSize: 500,
  /** Lines of one page of a log. */
  logLines: 5_000,
  /** Points of one series in one metricHistory. */
  points: 20_000,
  /** Runs that one subscription may follow by id. */
  followedRuns: 500,
  /** Live subscriptions of one socket. */
  subscriptions: 50,
  /** Bytes of one WebSocket message. */
  socketMessageBytes: 256 * 1024,
  /** Bytes of one HTTP request. */
  bodyBytes: 1024 * 1024,
  /** Bytes of one HTTP request that only logs metrics or lines. */
  logBodyBytes: 8 * 1024 * 1024,
} as const;
