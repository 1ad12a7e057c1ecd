/** Refuses steps of word2vec's family that grow instead of falling, or whose weight decay would turn vectors round. */
export function checkVectorSteps(
  { learningRate, finalLearningRate, weightDecay = 0 }: VectorSteps,
  refuse: (path: string, message: string) => void,
): void {
  if (finalLearningRate > learningRate)
    refuse('finalLearningRate', `at most the learningRate ${learningRate} is expected`);
  if (weightDecay * learningRate >= 1) refuse('weightDecay', 'weightDecay × learningRate must be below 1');
}

export interface VectorSteps {
  learningRate: number;
  finalLearningRate: number;
  weightDecay?: number;
}
