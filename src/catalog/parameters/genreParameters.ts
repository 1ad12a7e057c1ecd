import { z } from 'zod';

/** Parameters of the prediction of genres. */
export const genreParameters = {
  genres: z
    .enum(['first', 'single', 'all'])
    .default('first')
    .describe(
      'What is predicted of items with several genres (the paper does not say): first, the genre that is listed first, by multinomial logistic regression; single, the same for items with one genre only; all, each genre for itself by one-vs-rest, accuracy being the share of right yes-or-no answers over items and genres. Default first.',
    ),
  inverseStrength: z
    .number()
    .positive()
    .max(1e9)
    .default(1)
    .describe(
      "C of the logistic regression: weight of its losses against half the squared weights. Default 1, scikit-learn's. More fits closer.",
    ),
  normaliseBaseline: z
    .boolean()
    .default(true)
    .describe(
      'Whether h and avg(h), too, are normalised before the regression. φ always has normalised rows. Default true; false gives the regression the lengths as well.',
    ),
};
