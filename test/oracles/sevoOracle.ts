import { z } from 'zod';
import { oracleFile } from './oracleFile.ts';

const matrix = z.array(z.array(z.number()));

/** Smoothings, item graphs and traces of optimizers that others computed; `README.md` says which. */
export const sevoOracle = oracleFile(
  'sevo.json',
  z.object({
    psi: z.array(
      z.object({
        adjacency: matrix,
        normalised: matrix,
        X: matrix,
        smoothness_X: z.number(),
        cases: z.array(
          z.object({
            beta: z.number(),
            exact: matrix,
            smoothness_exact: z.number(),
            inner_exact: z.number(),
            L: z.array(
              z.object({
                L: z.number(),
                iterative: matrix,
                neumann: matrix,
                rescaled: matrix,
                smoothness_iterative: z.number(),
                smoothness_neumann: z.number(),
                smoothness_rescaled: z.number(),
                inner_iterative: z.number(),
                inner_neumann: z.number(),
                inner_rescaled: z.number(),
              }),
            ),
          }),
        ),
      }),
    ),
    direction_counterexample: z.object({
      adjacency: matrix,
      X: matrix,
      cases: z.array(
        z.object({
          beta: z.number(),
          L: z.number(),
          inner_iterative: z.number(),
          inner_neumann: z.number(),
          inner_rescaled: z.number(),
        }),
      ),
    }),
    algorithm4: z.object({
      sequences: z.array(z.array(z.number())),
      n_items: z.number(),
      cases: z.array(
        z.object({
          first: z.boolean(),
          K: z.number(),
          H: z.number(),
          weight: z.enum(['frequency', 'distance']),
          edges: matrix,
          degree: z.array(z.number()),
        }),
      ),
    }),
    real_item_graphs: z.record(
      z.string(),
      z
        .object({
          n: z.number(),
          nnz: z.number(),
          sum_weights: z.number(),
          isolated: z.number(),
          degree_max: z.number(),
          sum_normalised: z.number(),
        })
        .catchall(z.unknown()),
    ),
    traces: z.object({
      adjacency: matrix,
      E0: matrix,
      gradients: z.array(matrix),
      runs: z.array(
        z.object({
          name: z.string(),
          hyper: z.record(z.string(), z.number()),
          results: z.record(z.string(), z.array(matrix)),
        }),
      ),
    }),
  }),
);
