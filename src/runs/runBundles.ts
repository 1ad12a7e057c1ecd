import { STUDIES } from '#src/catalog/studies/studies.ts';
import {
  BUNDLE_KEYS,
  type BundleRow,
  countRunBundles,
  countSelectedRuns,
  selectRunBundles,
} from '#src/runs/store/runBundles.ts';
import { decodePosition, encodePosition } from '#src/runs/store/runOrderSql.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { studyTag } from '../studies/readStudyRuns.ts';
import { checkedPage, type ListRunsInput, resolveSelection, type RunPage } from './listRuns.ts';

/** A run, or all matching runs of one sweep or one study. */
export interface RunBundle extends Pick<BundleRow, 'newestId' | 'sweepId' | 'runCount' | 'failedCount'> {
  /** The name of the study; null where none has queued them. */
  study: string | null;
}

/** A page of a connection, as Relay draws it. */
export interface RunBundlePage {
  edges: { cursor: string; node: RunBundle }[];
  pageInfo: RunPage['pageInfo'];
  /** How many bundles there are on all pages; counted when it is called. */
  totalCount(): Promise<number>;
  /** How many runs they have together. */
  runCount(): Promise<number>;
}

const STUDY_OF_TAG: ReadonlyMap<string, string> = new Map(STUDIES.map((study) => [studyTag(study), study.name]));
/** Names the order in cursors. */
const ORDER = 'bundles by time';

/**
 * Runs that meet a filter, those of one sweep or one study together, page by page: the bundle first in which a run began or
 * ended last.
 * @throws WarrenError BAD_INPUT for a filter, cursor or size that cannot be; NOT_FOUND for an unknown project.
 */
export async function runBundles(
  context: Pick<ServiceContext, 'db'>,
  input: Pick<ListRunsInput, 'project' | 'filter' | 'first' | 'after'> = {},
): Promise<RunBundlePage> {
  const first = checkedPage(input.first);
  const after = input.after == null ? null : decodePosition(input.after, ORDER, BUNDLE_KEYS);
  const selection = await resolveSelection(context, input);
  const studyTags = [...STUDY_OF_TAG.keys()];
  const found = await selectRunBundles(context.db, selection, { studyTags, after, first: first + 1 });
  const edges = found.slice(0, first).map(({ number, time, studyTag: tag, ...bundle }) => ({
    cursor: encodePosition(ORDER, { number, keys: [time] }),
    node: { ...bundle, study: tag === null ? null : (STUDY_OF_TAG.get(tag) ?? null) },
  }));
  return {
    edges,
    pageInfo: {
      hasNextPage: found.length > first,
      hasPreviousPage: after !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: () => countRunBundles(context.db, selection, studyTags),
    runCount: () => countSelectedRuns(context.db, selection),
  };
}
