import { execFile } from 'node:child_process';
import { z } from 'zod';
import { ERROR_CODES, WarrenError } from '../contracts/errors.ts';
import { importSummarySchema } from '../contracts/importSummary.ts';
import { builtFile } from '../lib/projectRoot.ts';
import { computeEnvironment } from '../platform/processes/childEnvironment.ts';
import type { CommandContext } from './commandContext.ts';

const envelopeSchema = z.union([
  z.object({ answer: z.unknown() }),
  z.object({ error: z.object({ code: z.enum(ERROR_CODES), message: z.string(), path: z.string().optional() }) }),
]);

export const backendsSchema = z.object({
  chosen: z.string(),
  backends: z.array(
    z.object({
      name: z.string(),
      present: z.boolean(),
      device: z.string(),
      reason: z.string(),
      version: z.string().nullable(),
    }),
  ),
  /** WARREN_FUSED, and what of it can be had. */
  fused: z.object({ wanted: z.boolean(), support: z.enum(['fused', 'engine', 'processor']) }),
  /**
   * WARREN_OPENBLAS, and its version with the processor that it computes for, and 10⁹ operations a second of products by the kernels and
   * by it; or why there is none.
   */
  openblas: z.union([
    z.object({
      wanted: z.boolean(),
      found: z.string(),
      speed: z.object({ kernels: z.number().positive(), library: z.number().positive() }),
    }),
    z.object({ wanted: z.boolean(), reason: z.string() }),
  ]),
});

/** Of a library that opens. */
export const openblasSchema = z.object({ version: z.string() });

const checkResultSchema = z.object({
  name: z.string(),
  passed: z.boolean(),
  /** Infinite comes as null, as JSON has it; so does that of a check that threw. */
  deviation: z.number().nullable(),
  tolerance: z.number(),
  seconds: z.number(),
  error: z.string().nullable(),
});

export const verificationSchema = z.union([
  z.object({ name: z.string(), skipped: z.string() }),
  z.object({
    name: z.string(),
    skipped: z.null(),
    device: z.string(),
    isGpu: z.boolean(),
    version: z.string(),
    error: z.string().nullable(),
    results: z.array(checkResultSchema),
  }),
]);
export type Verification = z.output<typeof verificationSchema>;

export const datasetsSchema = z.array(
  z.object({ name: z.string(), path: z.string().nullable(), format: z.string().nullable() }),
);

export const importResultSchema = z.object({ path: z.string().nullable(), summary: importSummarySchema });

/**
 * Asks the numerics, in a process of their own, since this tree does not load them: `backends`, `verify NAME`,
 * `openblas FILE`, `datasets`, `report JSON` or `import JSON`. Their errors come back as they were thrown.
 */
export async function inspectNumerics<T>(
  { variables }: Pick<CommandContext, 'variables'>,
  question: readonly string[],
  schema: z.ZodType<T>,
): Promise<T> {
  const stdout = await new Promise<string>((resolve, reject) => {
    const options = { maxBuffer: 16 * 1024 * 1024, env: computeEnvironment(variables) };
    execFile(process.execPath, [builtFile('inspect.js'), ...question], options, (error, out, messages) => {
      if (out !== '') resolve(out);
      else reject(new WarrenError('INTERNAL', `the numerics did not answer: ${messages.trim() || error?.message}`));
    });
  });
  const envelope = envelopeSchema.parse(JSON.parse(stdout));
  if ('error' in envelope) {
    const { code, message, path } = envelope.error;
    throw new WarrenError(code, message, path === undefined ? {} : { path });
  }
  return schema.parse(envelope.answer);
}
