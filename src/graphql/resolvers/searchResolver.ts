import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { type Found, searchAll } from '#src/services/search/searchAll.ts';
import type { GraphqlContext } from '../context.ts';
import { SearchResults } from '../types/searchResults.ts';

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
}
