import 'reflect-metadata';
import { type GraphQLSchema, isObjectType, printSchema } from 'graphql';
import { buildSchemaSync, type PubSub } from 'type-graphql';
import { AdministrationResolver } from '../administration/api/administrationResolver.ts';
import { AlertResolver, AlertRuleResolver } from '../alerts/api/alertResolver.ts';
import { auditMutations } from './auditMutations.ts';
import { ArtifactResolver } from '../artifacts/api/artifactResolver.ts';
import { AuditResolver } from '../audit/api/auditResolver.ts';
import { CatalogResolver } from '../kinds/api/catalogResolver.ts';
import { ComparisonResolver } from '../comparisons/api/comparisonResolver.ts';
import { ConfigurationResolver } from '../runs/api/configurationResolver.ts';
import { ExternalRunMutations } from '../external/api/externalRunMutations.ts';
import { LineageResolver } from '../runs/api/lineageResolver.ts';
import { LogResolver } from '../logs/api/logResolver.ts';
import { MediaResolver, RunMediaResolver } from '../media/api/mediaResolver.ts';
import { MetricResolver } from '../metrics/api/metricResolver.ts';
import { resolveUnlessPlain } from './plainTypes.ts';
import { ProjectResolver } from '../projects/api/projectResolver.ts';
import { QueueResolver } from '../queue/api/queueResolver.ts';
import { RegistryResolver } from '../registry/api/registryResolver.ts';
import {
  RegistryFileResolver,
  RunInputResolver,
  RegistryVersionResolver,
  RunRegistryResolver,
} from '../registry/api/registryVersionResolver.ts';
import { ReportResolver } from '../reports/api/reportResolver.ts';
import { RunBundleQueries } from '../runs/api/runBundleQueries.ts';
import { RunErrorResolver } from '../runs/api/runErrorResolver.ts';
import { RunGroupQueries } from '../runs/api/runGroupQueries.ts';
import { RunMutations } from '../runs/api/runMutations.ts';
import { RunQueries } from '../runs/api/runQueries.ts';
import { RunResolver } from '../runs/api/runResolver.ts';
import { SearchResolver } from '../search/api/searchResolver.ts';
import { ServerResolver } from '../administration/api/serverResolver.ts';
import { ShareResolver } from '../sharing/api/shareResolver.ts';
import { StorageResolver } from '../artifacts/api/storageResolver.ts';
import { Subscriptions } from './subscriptions.ts';
import { DecisionResolver } from '../decisions/api/decisionResolver.ts';
import { SweepAnalysisResolver } from '../sweeps/api/sweepAnalysisResolver.ts';
import { StudyResolver } from '../studies/api/studyResolver.ts';
import { SweepResolver } from '../sweeps/api/sweepResolver.ts';
import { SweepTrialResolver } from '../sweeps/api/sweepTrialResolver.ts';
import { TokenResolver } from '../people/api/tokenResolver.ts';
import { UserResolver } from '../people/api/userResolver.ts';
import { ViewResolver } from '../views/api/viewResolver.ts';
import { WorkerResolver } from '../fleet/api/workerResolver.ts';
import { resolveDirectly } from './directResolvers.ts';

/** type-graphql insists on one; every subscription here brings its own stream instead. */
const noTopics: PubSub = {
  publish() {
    throw new Error('internal: nothing is published by topic');
  },
  subscribe() {
    throw new Error('internal: nothing is subscribed by topic');
  },
};

let built: GraphQLSchema | null = null;

/**
 * The schema with its resolvers, the same one for all that ask: type-graphql changes its records while it builds. Inputs are
 * checked by the use cases, not by decorators.
 */
export function buildWarrenSchema(): GraphQLSchema {
  built ??= build();
  return built;
}

function build(): GraphQLSchema {
  const schema = buildSchemaSync({
    resolvers: [
      ProjectResolver,
      RunQueries,
      RunBundleQueries,
      RunGroupQueries,
      RunResolver,
      RunErrorResolver,
      ConfigurationResolver,
      ComparisonResolver,
      CatalogResolver,
      WorkerResolver,
      QueueResolver,
      MetricResolver,
      LineageResolver,
      LogResolver,
      ArtifactResolver,
      MediaResolver,
      RunMediaResolver,
      SearchResolver,
      ServerResolver,
      StorageResolver,
      AdministrationResolver,
      TokenResolver,
      UserResolver,
      AuditResolver,
      ShareResolver,
      StudyResolver,
      DecisionResolver,
      SweepResolver,
      SweepAnalysisResolver,
      SweepTrialResolver,
      ViewResolver,
      ReportResolver,
      RegistryResolver,
      RegistryVersionResolver,
      RegistryFileResolver,
      RunInputResolver,
      RunRegistryResolver,
      AlertRuleResolver,
      AlertResolver,
      RunMutations,
      ExternalRunMutations,
      Subscriptions,
    ],
    pubSub: noTopics,
    validate: false,
    // It would answer the whole introspection at each start; a test does so once, and Apollo checks the types.
    skipCheck: true,
  });
  declareInOrder(schema);
  auditMutations(schema);
  resolveDirectly(schema);
  resolveUnlessPlain(schema);
  return schema;
}

/** Decorators of parameters run from the last to the first, which would print every list of arguments backwards. */
function declareInOrder(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) field.args = field.args.toReversed();
  }
}

/** The text of `schema.graphql`. */
export function printWarrenSchema(schema: GraphQLSchema): string {
  return `# Made from the classes of src/graphql: do not edit. \`npm test -- schemaFile -u\` writes it anew.\n\n${printSchema(schema)}\n`;
}
