import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { type EntryPage, listEntries } from '#src/registry/listEntries.ts';
import { changeEntry, createEntry, deleteEntry } from '#src/registry/changeEntry.ts';
import { type EntryRecord, findEntryByName } from '#src/registry/store/entryRecord.ts';
import type { AliasRecord } from '#src/registry/store/versionAlias.ts';
import type { VersionRecord } from '#src/registry/store/versionRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { CreateRegistryEntryInput, UpdateRegistryEntryInput } from './registryInputs.ts';
import { registryBytes } from '#src/base/graphql/answerBudget.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';
import { RegistryAlias, RegistryEntry, RegistryEntryConnection, RegistryType, RegistryVersion } from './registry.ts';

@Resolver(() => RegistryEntry)
export class RegistryResolver {
  @Query(() => RegistryEntryConnection, { description: 'Registered models and datasets, by name.' })
  async registryEntries(
    @Arg('type', () => RegistryType, { nullable: true, description: 'Only models, or only datasets; null: both.' })
    type: keyof typeof RegistryType | null | undefined,
    @Arg('search', () => String, { nullable: true, description: 'Text that the name has; null: any.' }) search:
      | string
      | null
      | undefined,
    @Arg('tags', () => [String], { defaultValue: [], description: 'Tags that it has, each as `key=value`.' })
    tags: string[],
    @Arg('project', () => String, {
      nullable: true,
      description: 'Only those with a version that a run of this project made; null: all.',
    })
    project: string | null | undefined,
    @Arg('first', () => Int, {
      nullable: true,
      defaultValue: 50,
      description: 'Entries of the page at most, 0 to 500.',
    })
    first: number | null,
    @Arg('after', () => String, {
      nullable: true,
      description: 'The `endCursor` of the page before; null: the first page.',
    })
    after: string | null | undefined,
    @Ctx() { services, loaders }: GraphqlContext,
  ): Promise<EntryPage> {
    return await loaders.budget.read(async () => {
      const page = await listEntries(services, { type, search, tags, project, first: pageSize(first), after });
      return { result: page, bytes: registryBytes(page.edges.map(({ node }) => node)) };
    });
  }

  @Query(() => RegistryEntry, { nullable: true, description: 'By its name; null where there is none.' })
  async registryEntry(
    @Arg('name', () => String, { description: 'Its name.' }) name: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<EntryRecord | null> {
    return await findEntryByName(services.db, name);
  }

  @Mutation(() => RegistryEntry, { description: 'Makes a model or dataset without versions.' })
  async createRegistryEntry(
    @Arg('input', () => CreateRegistryEntryInput, { description: 'The entry.' }) input: CreateRegistryEntryInput,
    @Ctx() { services }: GraphqlContext,
  ): Promise<EntryRecord> {
    return await createEntry(services, input);
  }

  @Mutation(() => RegistryEntry, { description: 'Renames or describes a model or dataset, or changes its tags.' })
  async updateRegistryEntry(
    @Arg('input', () => UpdateRegistryEntryInput, { description: 'What changes.' }) input: UpdateRegistryEntryInput,
    @Ctx() { services }: GraphqlContext,
  ): Promise<EntryRecord> {
    return await changeEntry(services, input);
  }

  @Mutation(() => ID, {
    description: 'Deletes a model or dataset with its versions and answers its id; refused while queued runs need one.',
  })
  async deleteRegistryEntry(
    @Arg('name', () => String, { description: 'Its name.' }) name: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<string> {
    return (await deleteEntry(services, name)).id;
  }

  @FieldResolver(() => [RegistryAlias], { description: 'Its aliases, by name.' })
  async aliases(@Root() entry: EntryRecord, @Ctx() { loaders }: GraphqlContext): Promise<AliasRecord[]> {
    return await loaders.registry.aliases.load(entry.id);
  }

  @FieldResolver(() => RegistryVersion, { nullable: true, description: 'Its newest version; null where it has none.' })
  async newest(@Root() entry: EntryRecord, @Ctx() { loaders }: GraphqlContext): Promise<VersionRecord | null> {
    return (await loaders.registry.versions.load(entry.id, { before: null, first: 1 }))[0] ?? null;
  }

  @FieldResolver(() => [RegistryVersion], { description: 'Its versions, the newest first.' })
  async versions(
    @Root() entry: EntryRecord,
    @Arg('first', () => Int, { nullable: true, defaultValue: 50, description: 'Versions at most, 0 to 500.' })
    first: number | null,
    @Arg('before', () => Int, {
      nullable: true,
      description: 'Only versions with a smaller number, to go on from there; null: all.',
    })
    before: number | null | undefined,
    @Ctx() { loaders }: GraphqlContext,
  ): Promise<VersionRecord[]> {
    return await loaders.registry.versions.load(entry.id, { before: before ?? null, first: pageSize(first) });
  }
}
