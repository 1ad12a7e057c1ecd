/** Facts of a span. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  facts?: SpanFacts;
  /** `server` for requests that come in, `client` for what is asked of others, `consumer` for jobs of a queue. */
  kind?: 'internal' | 'server' | 'client' | 'consumer';
  /** The span that it belongs to, as W3C's `traceparent` says it; by default the one of the caller. */
  parent?: string | undefined;
}

/** What records spans: OpenTelemetry, where an endpoint is given. */
export interface Tracer {
  run<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result>;
  /** Begins a span that holds for all that `work` starts; it ends when the function that `work` gets is called. */
  begin(name: string, options: SpanOptions, work: (end: (facts: SpanFacts, failed: boolean) => void) => void): void;
  /** Gives the span of the caller another name, and further facts. */
  rename(name: string, facts: SpanFacts): void;
  /** The span of the caller as a `traceparent`; undefined where there is none. */
  parent(): string | undefined;
  /** Sends what is recorded. */
  stop(): Promise<void>;
}
