import { Arg, Ctx, FieldResolver, Float, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { changeVersion, deleteAlias, deleteVersion, setAlias } from '#src/registry/changeVersion.ts';
import { requireVersion } from '#src/registry/findVersion.ts';
import { requireRun } from '#src/runs/findRun.ts';
import { registerVersion } from '#src/registry/registerVersion.ts';
import { useVersion } from '#src/registry/useVersion.ts';
import type { EntryRecord } from '#src/registry/store/entryRecord.ts';
import type { VersionFile } from '#src/registry/store/versionFile.ts';
import type { VersionRecord } from '#src/registry/store/versionRecord.ts';
import type { RunInputRecord } from '#src/runs/store/runInput.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { RegisterVersionInput, UpdateRegistryVersionInput } from './registryInputs.ts';
import { pageSize } from '#src/base/graphql/pageSize.ts';
import { RegistryEntry, RegistryFile, RegistryVersion } from './registry.ts';
import { Run } from '#src/runs/api/run.ts';
import { RunInput } from '#src/runs/api/runParts.ts';

const VERSION = '`NAME:VERSION`, `NAME@ALIAS` or `NAME:latest`.';

@Resolver(() => RegistryVersion)
export class RegistryVersionResolver {
  @Query(() => RegistryVersion, { description: 'The version that a reference names.' })
  async registryVersion(
    @Arg('version', () => String, { description: VERSION }) version: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<VersionRecord> {
    return (await requireVersion(services.db, version)).version;
  }

  @Mutation(() => RegistryVersion, {
    description:
      'Registers files of a run as the next version of a model or dataset. They stay as they are now, whatever becomes of the run.',
  })
  async registerVersion(
    @Arg('input', () => RegisterVersionInput, { description: 'The version.' }) input: RegisterVersionInput,
    @Ctx() { services, scoped, attempt }: GraphqlContext,
  ): Promise<VersionRecord> {
    if (attempt === undefined) return await registerVersion(services, input);
    // a program has the reach of its project: it takes no alias from versions of others
    const { projectId } = await requireRun(services, attempt.runId);
    return await registerVersion(scoped({ kind: 'projects', projects: [projectId] }).services, input);
  }

  @Mutation(() => RegistryVersion, { description: 'Describes a version, or changes its tags or stage.' })
  async updateRegistryVersion(
    @Arg('input', () => UpdateRegistryVersionInput, { description: 'What changes.' }) input: UpdateRegistryVersionInput,
    @Ctx() { services }: GraphqlContext,
  ): Promise<VersionRecord> {
    return await changeVersion(services, input);
  }

  @Mutation(() => ID, {
    description:
      'Deletes a version and answers its id; refused while queued runs need it. Its number is not given again.',
  })
  async deleteRegistryVersion(
    @Arg('version', () => String, { description: VERSION }) version: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<string> {
    return (await deleteVersion(services, version)).id;
  }

  @Mutation(() => RegistryVersion, { description: 'Points an alias to a version, away from where it pointed.' })
  async setRegistryAlias(
    @Arg('version', () => String, { description: VERSION }) version: string,
    @Arg('alias', () => String, { description: 'Letters, digits, `_` and `-`; not `latest`, and no number.' })
    alias: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<VersionRecord> {
    return await setAlias(services, { version, alias });
  }

  @Mutation(() => RegistryEntry, { description: 'Takes an alias of a model or dataset away.' })
  async deleteRegistryAlias(
    @Arg('name', () => String, { description: 'Name of the model or dataset.' }) name: string,
    @Arg('alias', () => String, { description: 'The alias.' }) alias: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<EntryRecord> {
    return await deleteAlias(services, { name, alias });
  }

  @Mutation(() => RegistryVersion, { description: 'Notes that a run took a version, and answers that version.' })
  async useRegistryVersion(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Arg('version', () => String, { description: VERSION }) version: string,
    @Ctx() { services, scoped, attempt }: GraphqlContext,
  ): Promise<VersionRecord> {
    const run = attempt === undefined ? null : await requireRun(services, attempt.runId);
    // a program takes what the runs of its project have registered
    const seen = run === null ? services : scoped({ kind: 'projects', projects: [run.projectId] }).services;
    return await useVersion(seen, { runId, version });
  }

  @FieldResolver(() => RegistryEntry, { description: 'The model or dataset.' })
  async entry(@Root() version: VersionRecord, @Ctx() { loaders }: GraphqlContext): Promise<EntryRecord> {
    return await loaders.registry.entry.load(version.entryId);
  }

  @FieldResolver(() => Run, {
    nullable: true,
    description: 'The run that made it, which may be in the trash; null where an MLflow client named none.',
  })
  async run(@Root() { runId }: VersionRecord, @Ctx() { loaders }: GraphqlContext): Promise<RunRecord | null> {
    return runId === null ? null : await loaders.run.load(runId);
  }

  @FieldResolver(() => ID, {
    nullable: true,
    description: 'Id of the run that made it, as `run`; null where an MLflow client named none.',
  })
  runId(@Root() { runId }: VersionRecord): string | null {
    return runId;
  }

  @FieldResolver(() => Int, { description: 'How many files it has.' })
  async fileCount(@Root() version: VersionRecord, @Ctx() { loaders }: GraphqlContext): Promise<number> {
    return (await loaders.registry.totals.load(version.id))[0]?.files ?? 0;
  }

  @FieldResolver(() => Float, { description: 'The bytes of its files together, a whole number.' })
  async sizeBytes(@Root() version: VersionRecord, @Ctx() { loaders }: GraphqlContext): Promise<number> {
    return (await loaders.registry.totals.load(version.id))[0]?.bytes ?? 0;
  }

  @FieldResolver(() => [RegistryFile], { description: 'Its files, by path.' })
  async files(
    @Root() version: VersionRecord,
    @Arg('first', () => Int, { nullable: true, defaultValue: 50, description: 'Files at most, 0 to 500.' })
    first: number | null,
    @Ctx() { loaders }: GraphqlContext,
  ): Promise<VersionFile[]> {
    return await loaders.registry.files.load(version.id, pageSize(first));
  }

  @FieldResolver(() => [Run], { description: 'The runs that took it and are not in the trash, the newest first.' })
  async usedBy(
    @Root() version: VersionRecord,
    @Arg('first', () => Int, { nullable: true, defaultValue: 50, description: 'Runs at most, 0 to 500.' })
    first: number | null,
    @Ctx() { loaders }: GraphqlContext,
  ): Promise<RunRecord[]> {
    return await loaders.registry.takers.load(version.id, pageSize(first));
  }
}

@Resolver(() => RegistryFile)
export class RegistryFileResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Address of the bytes, relative to the API; null where the run that made it is gone.',
  })
  url(@Root() { runId, artifactName, sha256 }: VersionFile): string | null {
    if (runId === null) return null;
    return `/artifacts/${runId}/${artifactName.split('/').map(encodeURIComponent).join('/')}?sha256=${sha256}`;
  }
}

@Resolver(() => Run)
export class RunRegistryResolver {
  @FieldResolver(() => [RegistryVersion], { description: 'Versions of models and datasets that it made.' })
  async registeredVersions(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<VersionRecord[]> {
    return await loaders.registry.made.load(run.id);
  }

  @FieldResolver(() => [RegistryVersion], { description: 'Versions of models and datasets that it took.' })
  async usedVersions(@Root() run: RunRecord, @Ctx() { loaders }: GraphqlContext): Promise<VersionRecord[]> {
    return await loaders.registry.used.load(run.id);
  }
}

@Resolver(() => RunInput)
export class RunInputResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The file of a registered version that it is, such as `ranker:3/model.pt`; null: none, or it was deleted.',
  })
  async version(@Root() input: RunInputRecord, @Ctx() { loaders }: GraphqlContext): Promise<string | null> {
    if (input.sha256 === null) return null;
    const versions = await loaders.registry.inputs.load(input.runId);
    return versions.find(({ inputName }) => inputName === input.name)?.version ?? null;
  }
}
