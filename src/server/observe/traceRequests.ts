import type { RequestHandler } from 'express';
import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import { beginSpan, inSpan, isTracing } from '#src/base/platform/tracing/tracing.ts';

/** A span for each request, which belongs to the one that the caller's `traceparent` names. */
export const traceRequests: RequestHandler = (request, response, next) => {
  if (!isTracing()) return next();
  const { method } = request;
  const part = request.path.split('/', 2)[1] ?? '';
  const facts = { 'http.request.method': method, 'url.path': request.path };
  const parent = request.headers.traceparent;
  const options = { kind: 'server', facts, parent: typeof parent === 'string' ? parent : undefined } as const;
  beginSpan(`${method} /${part}`, options, (end) => {
    response.once('close', () => {
      const status = response.statusCode;
      end({ 'http.response.status_code': status, 'http.aborted': !response.writableFinished }, status >= 500);
    });
    next();
  });
};

/** A span for each operation of GraphQL; `watchOperations` gives it the name of what is asked. */
export const traceOperations: RequestHandler = (_request, response, next) => {
  if (!isTracing()) return next();
  beginSpan('GraphQL', {}, (end) => {
    response.once('close', () => end({}, false));
    next();
  });
};

const traced = new WeakSet<GraphQLSchema>();

/** Has each field of the query and of the mutations, which is a use case, done within a span. */
export function traceFields(schema: GraphQLSchema): void {
  if (traced.has(schema)) return;
  traced.add(schema);
  for (const type of [schema.getQueryType(), schema.getMutationType()]) {
    for (const field of Object.values(type?.getFields() ?? {})) {
      const resolve = field.resolve ?? defaultFieldResolver;
      field.resolve = (source, args, context, info) =>
        isTracing()
          ? inSpan(`${type?.name}.${field.name}`, {}, async () => await resolve(source, args, context, info))
          : resolve(source, args, context, info);
    }
  }
}
