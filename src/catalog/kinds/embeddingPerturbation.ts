import { z } from 'zod';
import type { BuiltInKind } from '../kind.ts';
import { cited } from '../published/papers.ts';

export const embeddingPerturbationParameters = z
  .strictObject({
    nodes: z
      .int()
      .min(3)
      .max(2000)
      .default(100)
      .describe(
        'Nodes n of each Barabási-Albert graph. Default 100, as in Appendix E. Time grows with its fourth power.',
      ),
    edges: z
      .int()
      .min(1)
      .max(500)
      .default(10)
      .describe(
        'Edges m that each node brings, less than nodes. Default 10, as in Appendix E. More give higher degrees.',
      ),
    graphs: z
      .int()
      .min(1)
      .max(10_000)
      .default(50)
      .describe('Graphs drawn. Default 50, as in Appendix E. More give smoother curves in proportionally more time.'),
    insertions: z
      .int()
      .min(1)
      .max(10_000)
      .default(30)
      .describe(
        'Edges added to every node, each to the unchanged graph. Default 30, as in Appendix E. More give smoother curves.',
      ),
    dimension: z
      .int()
      .min(1)
      .max(500)
      .default(40)
      .describe('Dimensions of the embeddings, at most nodes. Default 40, as in Appendix E.'),
    alpha: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe('Weight α of the regularisation of leporid, 0 to 1. Default 0.5. More keeps low degrees nearer to 0.'),
    laplacian: z
      .enum(['symmetric', 'unnormalised'])
      .default('unnormalised')
      .describe(
        'unnormalised: L and L_reg (Eqs. 1 and 7), with which the change falls with the degree as in Figure 2; symmetric: L_sym and L_regsym (Eqs. 3 and 8), which the paper embeds data with. Default unnormalised.',
      ),
    signs: z
      .enum(['rule', 'random'])
      .default('rule')
      .describe(
        'Signs of the eigenvectors that raw compares. rule: the largest component is positive, so that few flip; random: each at random, as from a solver that starts anywhere. Default rule.',
      ),
    selfLoops: z
      .boolean()
      .default(false)
      .describe(
        'Whether the edge added may join a node to itself, as in the authors’ program; the unnormalised Laplacian does not see it. Default false.',
      ),
  })
  .superRefine(({ nodes, edges, dimension }, context) => {
    const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (edges >= nodes) refuse('edges', `expected less than nodes, which is ${nodes}`);
    if (dimension > nodes) refuse('dimension', `expected at most nodes, which is ${nodes}`);
  });

export type EmbeddingPerturbationParameters = z.output<typeof embeddingPerturbationParameters>;

export const embeddingPerturbationKind: BuiltInKind<'embedding-perturbation', typeof embeddingPerturbationParameters> =
  {
    kind: 'embedding-perturbation',
    version: 1,
    title: 'Embeddings when one edge is added',
    description:
      'How far the embedding of a node of a random graph moves when one edge is added to it, by its degree before, for Laplacian Eigenmaps and LEPORID (Figure 2). Raw: the length of the difference, which signs and rotations of eigenvectors swell; aligned: after the orthogonal map that brings the two embeddings of the graph closest (Procrustes); norm: the difference of the lengths, which rotations do not touch. Metrics stand at the degree as their step.',
    source: cited('leporid', 'Section 3.2, Figure 2, Appendix E'),
    parameters: embeddingPerturbationParameters,
    data: 'none',
    presets: [
      {
        name: 'leporid/figure-2',
        description: 'Figure 2: 50 graphs of 100 nodes, 30 edges added to each node. Minutes.',
        dataset: null,
        parameters: {},
      },
      {
        name: 'leporid/figure-2-author',
        description:
          'The same as the authors’ program compares: arbitrary signs, and self loops among the edges added.',
        dataset: null,
        parameters: { signs: 'random', selfLoops: true },
      },
      {
        name: 'leporid/figure-2-symmetric',
        description: 'The same with L_sym and L_regsym.',
        dataset: null,
        parameters: { laplacian: 'symmetric' },
      },
      {
        name: 'demo/embedding-perturbation-small',
        description: 'Four small graphs, in seconds.',
        dataset: null,
        parameters: { nodes: 40, edges: 4, graphs: 4, insertions: 3, dimension: 16 },
      },
    ],
    primaryMetric: 'leporid/aligned_difference',
  };
