import { defaultFieldResolver, type GraphQLSchema, isObjectType } from 'graphql';

/**
 * Types of which an answer may have thousands, all of whose fields without a resolver are values as they stand in a record:
 * neither methods nor promises. Compiled queries read these without a call.
 */
const PLAIN_TYPES: ReadonlySet<string> = new Set([
  ...['Run', 'RunEdge', 'PageInfo', 'Configuration', 'MetricSummary', 'MetricColumns', 'RunColumns'],
  ...['RunGroup', 'RunGroupEdge', 'GroupStatistics', 'LogLine', 'RunEvent', 'Attempt', 'Artifact'],
]);

/** Gives every field of another type that has no resolver the one that graphql-js would use. */
export function resolveUnlessPlain(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__') || PLAIN_TYPES.has(type.name)) continue;
    for (const field of Object.values(type.getFields())) field.resolve ??= defaultFieldResolver;
  }
}
