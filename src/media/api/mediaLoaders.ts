import type DataLoader from 'dataloader';
import type { Database } from '#src/base/platform/postgres/database.ts';
import { listLastTexts, measureLastTexts, type TextRecord } from '#src/media/store/lastTexts.ts';
import {
  listMedia,
  listMediaSeries,
  type MediaPage,
  type MediaRecord,
  type MediaSeriesRecord,
  measureMedia,
} from '#src/media/store/mediaRecord.ts';
import type { AnswerBudget } from '#src/base/graphql/answerBudget.ts';
import { byRun, groupLoader, groupLoaderWith } from '#src/base/graphql/groupLoader.ts';

/** Of one name of the media of a run, in an answer. */
const MOST_STEPS = 5_000;

/** As `Loaders`, for what runs have to look at. */
export interface MediaLoaders {
  /** The names of what a run has to look at. */
  mediaSeries: DataLoader<string, MediaSeriesRecord[]>;
  /** A page of what a run has to look at. */
  media: { load(runId: string, page: MediaPage): Promise<MediaRecord[]> };
  /** Its newest text under each name. */
  lastTexts: DataLoader<string, TextRecord[]>;
}

export function createMediaLoaders(db: Database, budget: AnswerBudget): MediaLoaders {
  return {
    mediaSeries: groupLoader(byRun, (ids) => listMediaSeries(db, ids, MOST_STEPS)),
    media: groupLoaderWith(byRun, (ids, page: MediaPage) =>
      budget.readRows({
        measure: () => measureMedia(db, ids, page),
        list: () => listMedia(db, ids, page),
      }),
    ),
    lastTexts: groupLoader(byRun, (ids) =>
      budget.readRows({
        measure: () => measureLastTexts(db, ids),
        list: () => listLastTexts(db, ids),
      }),
    ),
  };
}
