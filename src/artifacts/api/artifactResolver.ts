import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import { requireRun } from '#src/runs/findRun.ts';
import { viewUrl } from '#src/artifacts/viewTicket.ts';
import type { ArtifactRecord } from '#src/artifacts/store/artifactRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { Artifact } from '#src/runs/api/runParts.ts';

@Resolver(() => Artifact)
export class ArtifactResolver {
  @Query(() => [Artifact], { description: 'Files that a run left, by name.' })
  async artifacts(
    @Arg('runId', () => ID, { description: 'Id or number of the run.' }) runId: string,
    @Ctx() { services, loaders }: GraphqlContext,
  ): Promise<ArtifactRecord[]> {
    const run = await requireRun(services, runId, 'runId');
    return await loaders.artifacts.load(run.id);
  }

  @FieldResolver(() => String, { description: 'Address of the bytes, relative to the API.' })
  url(@Root() artifact: ArtifactRecord): string {
    const name = artifact.name.split('/').map(encodeURIComponent).join('/');
    return `/artifacts/${artifact.runId}/${name}`;
  }

  @FieldResolver(() => String, {
    description: 'Where a browser may show it for an hour or two, relative to the API: in a sandbox, without a token.',
  })
  viewUrl(@Root() { runId, name }: ArtifactRecord, @Ctx() { viewKey, reads }: GraphqlContext): string {
    return viewUrl(viewKey, { runId, name, link: reads?.kind === 'share' ? reads.share : null });
  }
}
