import { Arg, Ctx, ID, Query, Resolver, Field, Int, ObjectType } from 'type-graphql';
import { z } from 'zod';
import { datasetSelectionSchema } from '#src/catalog/datasetSelection.ts';
import { allDatasets, knownDataset } from '#src/catalog/datasets.ts';
import { metricsOfAddedKind } from '#src/catalog/modules/addedContent.ts';
import { allKinds } from '#src/catalog/kinds.ts';
import { parametersJsonSchema } from '#src/catalog/resolveConfiguration.ts';
import { type DatasetRecord, listDatasets } from '#src/datasets/store/datasetRecord.ts';
import { moduleReports, type ModuleReport } from '#src/base/platform/kindModules/loadedModules.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { Dataset } from '#src/datasets/api/dataset.ts';
import { MetricDirection } from '#src/base/graphql/enums.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import { KindModule } from './kindModule.ts';

@ObjectType({ simpleResolvers: true, description: 'A named choice of parameters of a kind.' })
class Preset {
  @Field(() => String, {
    description: 'Paper and what, such as `sevo/sasrec-beauty`; those under `demo/` need no data.',
  })
  name!: string;

  @Field(() => String, { description: 'What it sets up, and for which table or figure.' })
  description!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The dataset that it runs on; null where the kind makes its own data.',
  })
  dataset!: string | null;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'How the dataset is prepared and split; null: as by default.',
  })
  selection!: unknown;

  @Field(() => jsonScalar, { description: 'The parameters that differ from the defaults.' })
  parameters!: unknown;
}

@ObjectType({ simpleResolvers: true, description: 'A metric that a kind of a module of WARREN_KINDS declares.' })
class DeclaredMetric {
  @Field(() => String, {
    description: 'The last part of its name without a cut-off: `reach` is for `test/reach@10`, too.',
  })
  name!: string;

  @Field(() => MetricDirection, { nullable: true, description: 'Which way it is better; null where neither is.' })
  direction!: keyof typeof MetricDirection | null;

  @Field(() => String, { description: 'What it measures.' })
  description!: string;

  @Field(() => String, { nullable: true, description: 'Where it comes from; null where the module does not say.' })
  source!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'Something that can be run: a model, or one computation.' })
class ExperimentKind {
  @Field(() => ID, { description: 'Its name.' })
  kind!: string;

  @Field(() => Int, { description: 'Raised when the same parameters would give other numbers.' })
  version!: number;

  @Field(() => String, { description: 'Its name for people.' })
  title!: string;

  @Field(() => String, { description: 'What it computes.' })
  description!: string;

  @Field(() => String, { description: 'Where the method comes from.' })
  source!: string;

  @Field(() => String, {
    description:
      'What data it needs: `sequences`, `series`, `series-or-none`, `text`, or `none` for kinds that make their own.',
  })
  data!: string;

  @Field(() => jsonScalar, { description: 'JSON Schema of the parameters, from which a form can be drawn.' })
  parametersSchema!: unknown;

  @Field(() => jsonScalar, {
    nullable: true,
    description: 'JSON Schema of the dataset selection; null where `data` is `none`.',
  })
  datasetSchema!: unknown;

  @Field(() => [Preset], { description: 'Named choices of its parameters.' })
  presets!: Preset[];

  @Field(() => String, { description: 'The metric by which its runs are compared first.' })
  primaryMetric!: string;

  @Field(() => [DeclaredMetric], {
    description: 'Metrics that its module declares; none for kinds of Warren, which knows the metrics of its own.',
  })
  metrics!: DeclaredMetric[];
}

let kinds: ExperimentKind[] | null = null;

/** The catalog as the API shows it; made once, since it cannot change while the process runs. */
function describedKinds(): ExperimentKind[] {
  const datasetSchema = z.toJSONSchema(datasetSelectionSchema, { io: 'input' });
  kinds ??= allKinds().map((kind) => ({
    kind: kind.kind,
    version: kind.version,
    title: kind.title,
    description: kind.description,
    source: kind.source,
    data: kind.data,
    parametersSchema: parametersJsonSchema(kind),
    datasetSchema: kind.data === 'none' ? null : datasetSchema,
    presets: kind.presets.map((preset) => ({ ...preset, selection: preset.selection ?? null })),
    primaryMetric: kind.primaryMetric,
    metrics: Object.entries(metricsOfAddedKind(kind.kind)).map(([name, metric]) => ({ name, ...metric })),
  }));
  return kinds;
}

/** Known datasets in the catalog's order, then those that only runs have named. */
function describedDatasets(seen: readonly DatasetRecord[]): Dataset[] {
  const versionsOf = (name: string) => seen.filter((version) => version.name === name);
  const known = allDatasets().map(({ name, title, home, licence, citation, description, published }) => ({
    ...{ name, title, home, licence, citation, description },
    published: published.map(({ source, users, items, interactions, note }) => ({
      ...{ source, users, items, interactions },
      note: note ?? null,
    })),
    known: true,
    versions: versionsOf(name),
  }));
  const names = new Set(known.map((dataset) => dataset.name));
  const others = [...new Set(seen.map((version) => version.name))].filter((name) => !names.has(name));
  return [
    ...known,
    ...others.map((name) => ({
      ...{ name, title: name, home: null, licence: null, citation: null, description: null },
      published: [],
      known: false,
      versions: versionsOf(name),
    })),
  ];
}

@Resolver()
export class CatalogResolver {
  @Query(() => [ExperimentKind], { description: 'Everything that can be run.' })
  experimentKinds(): ExperimentKind[] {
    return describedKinds();
  }

  @Query(() => [KindModule], { description: 'The modules of WARREN_KINDS, also those that could not be loaded.' })
  kindModules(): readonly ModuleReport[] {
    return moduleReports();
  }

  @Query(() => [Dataset], { description: 'Datasets that the catalog knows, then those that only runs have named.' })
  async datasets(@Ctx() { services }: GraphqlContext): Promise<Dataset[]> {
    return describedDatasets(await listDatasets(services.db));
  }

  @Query(() => Dataset, {
    nullable: true,
    description: 'One dataset; null where neither the catalog nor any run knows it.',
  })
  async dataset(
    @Arg('name', () => ID, { description: 'Its name, or another that the catalog knows it by.' }) name: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Dataset | null> {
    const wanted = knownDataset(name)?.name ?? name;
    const all = describedDatasets(await listDatasets(services.db));
    return all.find((dataset) => dataset.name === wanted) ?? null;
  }
}
