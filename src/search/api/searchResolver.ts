import { Arg, Ctx, Int, Query, Resolver, Field, ID, ObjectType } from 'type-graphql';
import { runsWithFiles } from '#src/search/runsWithFiles.ts';
import { type Found, searchAll, type FoundStudy as FoundStudyRecord } from '#src/search/searchAll.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { DEFAULT_PAGE_SIZE, pageSize } from '#src/base/graphql/pageSize.ts';
import { Run } from '#src/runs/api/run.ts';
import type { MadeFrom } from '#src/base/graphql/madeFrom.ts';
import { Project } from '#src/projects/api/project.ts';
import { Sweep } from '#src/sweeps/api/sweep.ts';

@ObjectType({ simpleResolvers: true, description: 'A table or a figure of a paper, by name.' })
class FoundStudy implements MadeFrom<FoundStudyRecord, FoundStudy> {
  @Field(() => ID, { description: 'Such as `overrec/table-2`; `study` takes it.' })
  name!: string;

  @Field(() => String, { description: 'What it shows.' })
  title!: string;
}

@ObjectType({ simpleResolvers: true, description: 'What a text was found in, a list of each sort.' })
class SearchResults implements MadeFrom<Pick<Found, 'studies'>, Pick<SearchResults, 'studies'>> {
  @Field(() => [Run], { description: 'Runs by number, name or tag, the newest first; not those in the trash.' })
  runs!: Run[];

  @Field(() => [Project], { description: 'Projects, by name.' })
  projects!: Project[];

  @Field(() => [Sweep], { description: 'Sweeps by number or name, the newest first.' })
  sweeps!: Sweep[];

  @Field(() => [FoundStudy], { description: 'Studies by name or title.' })
  studies!: FoundStudy[];
}

/** It looks through the names of very many runs. */
const SEARCH_COST = 200;
/** Lists of the answer. */
const SORTS = 4;

@Resolver()
export class SearchResolver {
  @Query(() => SearchResults, {
    description:
      'Runs, projects, sweeps and studies whose name has all words of a text. Of runs the newest 100,000 are looked through.',
    complexity: ({ args, childComplexity }) => SEARCH_COST + (childComplexity * Number(args.first ?? 8)) / SORTS,
  })
  async search(
    @Arg('text', () => String, {
      description: 'Words in any order, in capital letters or not; or the number of a run or a sweep.',
    })
    text: string,
    @Arg('first', () => Int, { defaultValue: 8, description: 'Of each sort at most, 1 to 20.' }) first: number,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Found> {
    return await searchAll(services, { text, first });
  }

  @Query(() => [Run], {
    description:
      'Runs that left a file whose name ends so, the newest first; `before` is the number of a run, to go on from there.',
    complexity: ({ args, childComplexity }) =>
      SEARCH_COST + Math.max(0, args.first ?? DEFAULT_PAGE_SIZE) * childComplexity,
  })
  async runsWithFiles(
    @Arg('ending', () => String, { description: 'How the name of the file ends: `.npy`.' }) ending: string,
    @Arg('text', () => String, {
      defaultValue: '',
      description: 'Only runs with all of these words in name, tags or project, or with this number.',
    })
    text: string,
    @Arg('first', () => Int, { nullable: true, defaultValue: 50, description: 'Runs at most.' }) first: number | null,
    @Arg('before', () => Int, { nullable: true, description: 'Only runs with a smaller number.' }) before:
      | number
      | null
      | undefined,
    @Ctx() { services }: GraphqlContext,
  ): Promise<RunRecord[]> {
    return await runsWithFiles(services, { ending, text, first: pageSize(first), before: before ?? null });
  }
}
