import { Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { EntryPage } from '#src/registry/listEntries.ts';
import type { EntryRecord } from '#src/registry/store/entryRecord.ts';
import type { AliasRecord } from '#src/registry/store/versionAlias.ts';
import type { VersionFile } from '#src/registry/store/versionFile.ts';
import type { VersionRecord } from '#src/registry/store/versionRecord.ts';
import { dateTimeScalar } from '#src/base/graphql/dateTimeScalar.ts';
import { jsonScalar } from '#src/base/graphql/jsonScalar.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';
import { PageInfo } from '#src/base/graphql/pageInfo.ts';

export enum RegistryType {
  model = 'model',
  dataset = 'dataset',
}

registerEnumType(RegistryType, {
  name: 'RegistryType',
  description: 'What the registry keeps versions of.',
  valuesConfig: {
    model: { description: 'Something trained.' },
    dataset: { description: 'Data that runs are trained or tested on.' },
  },
});

export enum RegistryStage {
  None = 'None',
  Staging = 'Staging',
  Production = 'Production',
  Archived = 'Archived',
}

registerEnumType(RegistryStage, {
  name: 'RegistryStage',
  description: "MLflow's stages of a version; aliases say more.",
  valuesConfig: {
    None: { description: 'No stage.' },
    Staging: { description: 'To be tried before it is used.' },
    Production: { description: 'In use.' },
    Archived: { description: 'Not used any more.' },
  },
});

export enum VersionState {
  READY = 'READY',
  PENDING = 'PENDING',
  FAILED = 'FAILED',
}

registerEnumType(VersionState, {
  name: 'VersionState',
  description: 'Whether a version can be used.',
  valuesConfig: {
    READY: { description: 'It can be used.' },
    PENDING: { description: 'Its files are still to come.' },
    FAILED: { description: 'Its files did not come.' },
  },
});

@ObjectType({
  simpleResolvers: true,
  description: 'A name that points to one version of a model or dataset at a time.',
})
export class RegistryAlias implements MadeFrom<AliasRecord, RegistryAlias> {
  @Field(() => String, { description: 'The name, such as `production`.' })
  name!: string;

  @Field(() => Int, { description: 'Number of the version.' })
  number!: number;
}

@ObjectType({ simpleResolvers: true, description: 'A model or dataset with a name and versions.' })
export class RegistryEntry implements MadeFrom<EntryRecord, RegistryEntry> {
  @Field(() => ID, { description: 'Never changes.' })
  id!: string;

  @Field(() => RegistryType, { description: 'Whether it is a model or a dataset.' })
  type!: keyof typeof RegistryType;

  @Field(() => String, { description: 'Its name; unique on the server.' })
  name!: string;

  @Field(() => String, { description: 'What it is; may be empty.' })
  description!: string;

  @Field(() => jsonScalar, { description: 'Its tags: an object of texts.' })
  tags!: unknown;

  @Field(() => dateTimeScalar, { description: 'When it was made.' })
  createdAt!: Date;

  @Field(() => dateTimeScalar, { description: 'When it was changed, or got or lost a version, last.' })
  updatedAt!: Date;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A version of a model or dataset: files as they were when it was registered.',
})
export class RegistryVersion implements MadeFrom<VersionRecord, RegistryVersion> {
  @Field(() => ID, { description: 'Never changes.' })
  id!: string;

  @Field(() => String, { description: 'Name of the model or dataset.' })
  name!: string;

  @Field(() => Int, { description: 'Counts its versions from 1; none is given twice.' })
  number!: number;

  @Field(() => String, {
    nullable: true,
    description: 'The artifact of the run that made it, or the folder of artifacts; null without files.',
  })
  artifactName!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The sha256 of its file, or of the lines `sha256  path` of its files; null without files.',
  })
  sha256!: string | null;

  @Field(() => String, { description: 'Where an MLflow client says that it is; empty for versions of others.' })
  source!: string;

  @Field(() => String, { description: 'What it is; may be empty.' })
  description!: string;

  @Field(() => jsonScalar, { description: 'Its tags: an object of texts.' })
  tags!: unknown;

  @Field(() => RegistryStage, { description: "MLflow's stage." })
  stage!: keyof typeof RegistryStage;

  @Field(() => VersionState, { description: 'Whether it can be used.' })
  state!: keyof typeof VersionState;

  @Field(() => [String], { description: 'The aliases that point to it.' })
  aliases!: string[];

  @Field(() => dateTimeScalar, { description: 'When it was registered.' })
  createdAt!: Date;

  @Field(() => dateTimeScalar, { description: 'When its description, tags or stage changed last.' })
  updatedAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A file of a version.' })
export class RegistryFile implements MadeFrom<VersionFile, RegistryFile> {
  @Field(() => String, { description: 'Its path in the version.' })
  path!: string;

  @Field(() => String, { description: 'What it was among the artifacts of the run.' })
  artifactName!: string;

  @Field(() => String, { description: 'The sha256 of its bytes, as hexadecimal digits.' })
  sha256!: string;

  @Field(() => Float, { description: 'Its size in bytes, a whole number.' })
  sizeBytes!: number;

  @Field(() => String, { description: 'Its media type.' })
  mediaType!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A model or dataset within a page.' })
export class RegistryEntryEdge {
  @Field(() => String, { description: 'Its position, to be given as `after`.' })
  cursor!: string;

  @Field(() => RegistryEntry, { description: 'The model or dataset.' })
  node!: RegistryEntry;
}

@ObjectType({ simpleResolvers: true, description: 'A page of models and datasets.' })
export class RegistryEntryConnection implements MadeFrom<EntryPage, RegistryEntryConnection> {
  @Field(() => [RegistryEntryEdge], { description: 'The entries of the page.' })
  edges!: RegistryEntryEdge[];

  @Field(() => PageInfo, { description: 'Where the page stands.' })
  pageInfo!: PageInfo;
}
