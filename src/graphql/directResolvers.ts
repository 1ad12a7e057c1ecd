import { type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import { invariant } from '#src/base/lib/invariant.ts';
import type { ConfigurationRecord } from '#src/runs/store/configurationRecord.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { GraphqlContext } from '../base/graphql/context.ts';
import { ConfigurationResolver } from '../runs/api/configurationResolver.ts';
import { RunResolver } from '../runs/api/runResolver.ts';

const runs = new RunResolver();
const configurations = new ConfigurationResolver();

type FieldResolver = NonNullable<ReturnType<GraphQLObjectType['getFields']>[string]['resolve']>;
type Resolve<Root, Arguments> = (root: Root, given: Arguments, context: GraphqlContext) => unknown;
const configuration: Resolve<RunRecord, { queued: boolean }> = (run, { queued }, context) =>
  runs.configuration(run, queued, context);
const metrics: Resolve<RunRecord, { names?: string[] | null }> = (run, { names }, context) =>
  runs.metrics(run, names, context);
const headline: Resolve<RunRecord, object> = (run, _, context) => runs.headline(run, context);
const parameters: Resolve<ConfigurationRecord, object> = (record, _, context) =>
  configurations.parameters(record, context);

/**
 * Fields that every row of a page of runs has. type-graphql sorts the parameters of a method anew for each call and waits for
 * each argument, which made a sixth of the garbage of a page.
 */
const FIELDS: Record<string, Record<string, FieldResolver>> = {
  Run: { configuration, metrics, headline },
  Configuration: { parameters },
};

/** Has these fields resolved by a call of their method and nothing else. */
export function resolveDirectly(schema: GraphQLSchema): void {
  for (const [typeName, resolvers] of Object.entries(FIELDS)) {
    const type = schema.getType(typeName);
    invariant(isObjectType(type), `the type ${typeName}`);
    const fields = type.getFields();
    for (const [name, resolve] of Object.entries(resolvers)) {
      invariant(fields[name] !== undefined, `the field ${typeName}.${name}`);
      fields[name].resolve = resolve;
    }
  }
}
