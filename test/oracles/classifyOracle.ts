import { z } from 'zod';
import { oracleFile } from './oracleFile.ts';

const number = z.number();
const phi = z.enum(['relu', 'erf', 'linear']);
const matrix = z.array(z.array(number));
const machine = z.object({
  test_accuracy: number,
  n_support: z.array(number),
  predictions: z.array(number),
  dual_objective: number.optional(),
  decision_values: z.array(number).optional(),
  decision_values_positive_is_class: number.optional(),
  decision_values_ovo: matrix.optional(),
  ovo_pairs: matrix.optional(),
  gram_train_5x5: matrix.optional(),
  gram_test_train_3x5: matrix.optional(),
});

/** SVMs of scikit-learn (LIBSVM) and kernel ridge regressions of numpy; the README of the oracles says how they were made. */
export const classifyOracle = oracleFile(
  'classify.json',
  z.object({
    hyper: z.object({
      rntk: z.object({
        phi,
        L: number,
        sigma_w: number,
        sigma_u: number,
        sigma_b: number,
        sigma_v: number,
        sigma_h: number,
      }),
      ntk: z.object({ phi, L: number, sigma_w: number, sigma_b: number, sigma_v: number }),
      rbf: z.object({ alpha: number }),
      poly: z.object({ r: number, d: number }),
      C: number,
    }),
    synthetic: z.array(
      z.object({
        classes: number,
        X_train: matrix,
        y_train: z.array(number),
        X_test: matrix,
        y_test: z.array(number),
        svm: z.object({ rntk: machine, nngp: machine, ntk: machine, rbf: machine, poly: machine }),
      }),
    ),
    krr_sinusoid: z.object({
      series: z.array(number),
      T_fixed: number,
      T_var: number,
      train_start_length: matrix,
      test_start_length: matrix,
      results: z.array(
        z.object({
          kernel: z.enum(['rntk', 'ntk', 'rbf', 'poly']),
          padding: z.enum(['front', 'back']).nullable(),
          alpha_rbf: number.optional(),
          r: number.optional(),
          d: number.optional(),
          ridge: number,
          mse: number,
          snr_db: number,
          alpha: z.array(number).nullable(),
          predictions_first_20: z.array(number),
        }),
      ),
      previous_value_predictor: z.object({ mse: number, snr_db: number }),
    }),
  }),
);
