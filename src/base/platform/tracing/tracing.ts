import type { SpanFacts, SpanOptions, Tracer } from './tracer.ts';

/** Null where nothing is traced, which then costs a comparison. */
let tracer: Tracer | null = null;

/** Whether spans are recorded. */
export const isTracing = (): boolean => tracer !== null;

/**
 * Records spans from now on, where OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT names a collector;
 * else nothing is loaded. Returns what sends the last spans and ends it.
 */
export async function startTracing(
  service: string,
  version: string,
  source: NodeJS.ProcessEnv = process.env,
): Promise<() => Promise<void>> {
  const endpoint = source.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? source.OTEL_EXPORTER_OTLP_ENDPOINT ?? '';
  if (endpoint.trim() === '' || source.OTEL_SDK_DISABLED === 'true' || tracer !== null) return async () => {};
  const { openTelemetry } = await import('./openTelemetry.ts');
  const opened = await openTelemetry(service, version, source);
  tracer = opened;
  return async () => {
    tracer = null;
    await opened.stop();
  };
}

/** Does the work within a span, which ends with it. */
export async function inSpan<Result>(name: string, options: SpanOptions, work: () => Promise<Result>): Promise<Result> {
  return tracer === null ? await work() : await tracer.run(name, options, work);
}

/** `Tracer.begin`; without tracing `work` is called with what does nothing. */
export function beginSpan(
  name: string,
  options: SpanOptions,
  work: (end: (facts: SpanFacts, failed: boolean) => void) => void,
): void {
  if (tracer === null) work(() => {});
  else tracer.begin(name, options, work);
}

/** Gives the span of the caller another name, and further facts. */
export function renameSpan(name: string, facts: SpanFacts): void {
  tracer?.rename(name, facts);
}

/** The span of the caller for another process, as a `traceparent`; undefined where there is none. */
export function spanParent(): string | undefined {
  return tracer?.parent();
}
