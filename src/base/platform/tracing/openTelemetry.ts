import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { SpanFacts, SpanOptions, Tracer } from './tracer.ts';

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;
/** How long the last spans hold up the end. */
const STOP_MS = 3_000;

/**
 * Spans by OpenTelemetry's own SDK, in batches to the collector that its variables name (OTLP over HTTP). Of
 * OTEL_TRACES_SAMPLER_ARG, a share from 0 to 1, the part of the traces is kept.
 */
export async function openTelemetry(service: string, version: string, source: NodeJS.ProcessEnv): Promise<Tracer> {
  const [api, sdk, exporter, hooks, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/resources'),
  ]);
  const { context, trace, SpanKind, SpanStatusCode, TraceFlags } = api;
  const share = Number(source.OTEL_TRACES_SAMPLER_ARG ?? '1');
  const root = new sdk.TraceIdRatioBasedSampler(share >= 0 && share <= 1 ? share : 1);
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': source.OTEL_SERVICE_NAME ?? service,
      'service.version': version,
    }),
    sampler: new sdk.ParentBasedSampler({ root }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new exporter.OTLPTraceExporter() })],
  });
  const manager = new hooks.AsyncLocalStorageContextManager().enable();
  context.setGlobalContextManager(manager);
  const spans = provider.getTracer('warren', version);
  const kinds = {
    internal: SpanKind.INTERNAL,
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    consumer: SpanKind.CONSUMER,
  };

  function start(
    name: string,
    { facts = {}, kind = 'internal', parent }: SpanOptions,
  ): { span: Span; inside: Context } {
    const outside = parent === undefined ? context.active() : contextOf(parent);
    const span = spans.startSpan(name, { kind: kinds[kind], attributes: attributesOf(facts) }, outside);
    return { span, inside: trace.setSpan(outside, span) };
  }

  function contextOf(parent: string): Context {
    const [, traceId, spanId, flags = '00'] = TRACEPARENT.exec(parent) ?? [];
    if (traceId === undefined || spanId === undefined) return context.active();
    const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
    return trace.setSpanContext(context.active(), { traceId, spanId, traceFlags, isRemote: true });
  }

  return {
    async run(name, options, work) {
      const { span, inside } = start(name, options);
      try {
        return await context.with(inside, work);
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : String(error) });
        throw error;
      } finally {
        span.end();
      }
    },
    begin(name, options, work) {
      const { span, inside } = start(name, options);
      context.with(inside, work, undefined, (facts: SpanFacts, failed: boolean) => {
        span.setAttributes(attributesOf(facts));
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      });
    },
    rename(name, facts) {
      trace.getActiveSpan()?.updateName(name).setAttributes(attributesOf(facts));
    },
    parent() {
      const current = trace.getActiveSpan()?.spanContext();
      if (current === undefined) return undefined;
      return `00-${current.traceId}-${current.spanId}-0${current.traceFlags & TraceFlags.SAMPLED}`;
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, STOP_MS);
      });
      await Promise.race([provider.shutdown().catch(() => {}), late]).finally(() => clearTimeout(timer));
      context.disable();
    },
  };
}

function attributesOf(facts: SpanFacts): Attributes {
  return { ...facts };
}
