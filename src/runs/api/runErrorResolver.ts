import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '#src/base/graphql/context.ts';
import { RunError } from './runParts.ts';

@Resolver(() => RunError)
export class RunErrorResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Where in the code it happened; null where that is not known.',
  })
  async stack(@Root() error: RunError, @Ctx() { loaders }: GraphqlContext): Promise<string | null> {
    const stack = (await loaders.texts.load(error.runId))?.errorStack ?? null;
    loaders.budget.charge(stack?.length ?? 0);
    return stack;
  }
}
