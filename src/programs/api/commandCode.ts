import { mayNameCode } from '#src/programs/holdCode.ts';
import type { GraphqlContext } from '#src/base/graphql/context.ts';

/** Answers how many bytes the code of a command has; null when it is not there, or not for this caller to name. */
export function commandCodeSize(context: GraphqlContext): (sha256: string) => Promise<number | null> {
  const { services, artifacts, reads, actor } = context;
  return async (sha256) => {
    if (reads !== null && !(await mayNameCode(services, sha256, actor))) return null;
    return await artifacts.size(sha256);
  };
}
