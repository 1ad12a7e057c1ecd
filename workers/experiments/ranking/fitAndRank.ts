import type { TrainingPart } from '#workers/data/split/trainingPart.ts';
import { openProtocol } from '#workers/evaluation/protocols/openProtocol.ts';
import type { Protocol } from '#workers/evaluation/protocols/protocol.ts';
import { type AskedUser, type Scorer, userScorer } from '#workers/evaluation/ranking/scorer.ts';
import type { ExperimentContext } from '../experiment.ts';
import type { RankedCandidates } from './rankedCandidates.ts';

/** A recommender that is fitted at once and scores all items for one user at a time. */
export interface FittedRecommender<Model> {
  /** Learns from the training part alone. */
  fit(training: TrainingPart): Model | Promise<Model>;
  /**
   * Writes the score of every item for a user with this history (validation included) into `scores`: evidence for the item,
   * 0 where there is none. Items with 0 are not recommended.
   */
  score(model: Model, user: AskedUser, scores: Float64Array): void;
  /** Whether the scores are the same for every user; default false. */
  isSameForAll?: boolean;
}

type Context = ExperimentContext<RankedCandidates>;

/**
 * Fits a recommender to the training part of the run's split and reports its rankings for the held-out parts: `valid/…`, for
 * choosing settings, and `test/…`. Metrics stand at step 0.
 */
export async function fitAndRank<Model>(context: Context, recommender: FittedRecommender<Model>): Promise<Model> {
  const { reporter } = context;
  const protocol = await openProtocol(context);
  const start = performance.now();
  const model = await recommender.fit(protocol.split);
  reporter.timing('compute', (performance.now() - start) / 1000);
  const scorer = userScorer({
    score: (user, scores) => recommender.score(model, user, scores),
    isSameForAll: recommender.isSameForAll,
    floor: 0,
    pulse: pulseOf(context),
  });
  await rankParts(context, protocol, scorer);
  return model;
}

/** Validates, where anybody can be validated on, and tests, at step 0. */
export async function rankParts({ reporter }: Context, protocol: Protocol, scorer: Scorer): Promise<void> {
  const start = performance.now();
  if (protocol.validationPart.users.length > 0) {
    const { metrics } = await protocol.validate(scorer);
    for (const [name, value] of Object.entries(metrics)) reporter.metric(`valid/${name}`, 0, value);
  }
  await protocol.test(scorer, 0);
  reporter.timing('evaluate', (performance.now() - start) / 1000);
}

/** Users between two questions whether the run is cancelled, and between two messages of progress. */
const PULSE_USERS = 64;
const PROGRESS_USERS = 4096;

/** Called before each user: stops a run that is cancelled, and tells how far it is. */
export function pulseOf({ reporter, cancellation }: Context): (done: number, all: number) => void {
  return (done, all) => {
    if (done % PULSE_USERS === 0) cancellation.throwIfCancelled();
    if (done % PROGRESS_USERS === 0) reporter.progress(done / all, `ranked for ${done} of ${all} users`);
  };
}
