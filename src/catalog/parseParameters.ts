import type { z } from 'zod';
import { badInput } from '../base/contracts/errors.ts';
import { describeIssues, listProblems } from './describeIssues.ts';
import type { KindDefinition } from './kind.ts';
import { parameterPaths } from './parameterPaths.ts';

/**
 * The parameters of a kind with all defaults filled in. Throws BAD_INPUT that lists each problem: its path
 * (`parameters.sigmaW`), what was received and what is expected.
 */
export function parseParameters<Schema extends z.ZodObject>(
  kind: KindDefinition<Schema>,
  input: unknown,
): z.output<Schema> {
  const parsed = kind.parameters.safeParse(input);
  if (parsed.success) return parsed.data;
  const known = Object.keys(kind.parameters.shape);
  const paths = () => parameterPaths(kind);
  const problems = describeIssues(parsed.error.issues, { input, prefix: 'parameters', known, paths });
  throw badInput(listProblems(problems, `the parameters of ${kind.kind}`), problems[0]?.path);
}
