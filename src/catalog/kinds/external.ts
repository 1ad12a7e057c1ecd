import { z } from 'zod';
import type { BuiltInKind } from '../kind.ts';

export const externalParameters = z
  .object({})
  .catchall(z.json())
  .describe('Any JSON: whatever the program that logs the run wants to be compared by.');

export const externalKind: BuiltInKind<'external', typeof externalParameters> = {
  kind: 'external',
  version: 1,
  title: 'External program',
  description:
    'A run that a program of your own executes and logs (createRun, logMetrics, logLines, finishRun). Warren records and compares it, and never executes it.',
  source: 'Your own.',
  parameters: externalParameters,
  data: 'none',
  presets: [],
  primaryMetric: 'loss',
};
