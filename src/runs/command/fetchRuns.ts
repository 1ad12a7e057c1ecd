import { WarrenError } from '#src/base/contracts/errors.ts';
import {
  RunDetailDocument,
  type RunDetailQuery,
  type RunResultFragment,
  RunResultFragmentDoc,
  type RunSummaryFragment,
  RunSummaryFragmentDoc,
  TypedDocumentString,
} from '#src/generated/api.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';

/** Runs asked for in one request; more would meet the API's limit on the cost of a query. */
const CHUNK = 20;

export type RunDetail = NonNullable<RunDetailQuery['run']>;

/**
 * The runs with these ids or numbers, in their order.
 * @throws WarrenError NOT_FOUND that names the first that does not exist.
 */
export async function fetchRuns(api: ApiClient, ids: readonly string[]): Promise<RunSummaryFragment[]> {
  return fetchEach(api, ids, { name: 'RunSummary', fragment: RunSummaryFragmentDoc });
}

/** The same with the last value of every metric and the environment that was recorded. */
export async function fetchResults(api: ApiClient, ids: readonly string[]): Promise<RunResultFragment[]> {
  return fetchEach(api, ids, { name: 'RunResult', fragment: RunResultFragmentDoc });
}

/** Everything about one run, but for its points and its log. @throws WarrenError NOT_FOUND. */
export async function fetchRunDetail(api: ApiClient, id: string): Promise<RunDetail> {
  const { run } = await api.request(RunDetailDocument, { id });
  if (run === null) throw noRun(id);
  return run;
}

function noRun(id: string): WarrenError {
  return new WarrenError('NOT_FOUND', `there is no run ${id}; \`warren ls\` lists the runs`);
}

/** One request for many runs: the fields of a fragment, each run under a name of its own. */
async function fetchEach<Run>(
  api: ApiClient,
  ids: readonly string[],
  { name, fragment }: { name: string; fragment: TypedDocumentString<Run, unknown> },
): Promise<Run[]> {
  const found: Run[] = [];
  for (let start = 0; start < ids.length; start += CHUNK) {
    const chunk = ids.slice(start, start + CHUNK);
    const parameters = chunk.map((_, index) => `$id${index}: ID!`).join(', ');
    const selections = chunk.map((_, index) => `run${index}: run(id: $id${index}) { ...${name} }`).join('\n');
    const variables = Object.fromEntries(chunk.map((id, index) => [`id${index}`, id]));
    const document = new TypedDocumentString<Record<string, Run | null>, Record<string, string>>(
      `query Runs(${parameters}) { ${selections} }\n${fragment}`,
    );
    const answer = await api.request(document, variables);
    chunk.forEach((id, index) => {
      const run = answer[`run${index}`];
      if (run == null) throw noRun(id);
      found.push(run);
    });
  }
  return found;
}
