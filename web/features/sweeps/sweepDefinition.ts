import * as z from 'zod/mini';

const schema = z.object({
  method: z.string(),
  metric: z.nullable(
    z.object({
      name: z.string(),
      goal: z.enum(['minimize', 'maximize']),
      target: z.nullable(z.number()),
      summary: z.string(),
    }),
  ),
  kind: z.string(),
  preset: z.nullable(z.string()),
  dataset: z.unknown(),
  seeds: z.array(z.number()),
  concurrency: z.number(),
  /** What agents execute, where they execute the trials. */
  agentLine: z.optional(z.nullable(z.array(z.string()))),
  budget: z.object({
    trials: z.nullable(z.number()),
    untilNothingBetterIn: z.nullable(z.number()),
    hours: z.nullable(z.number()),
    epochs: z.optional(z.nullable(z.number())),
  }),
});

/** What a sweep is, as the dashboard shows it. */
export type SweepDefinition = z.infer<typeof schema>;

/** Reads the definition that the API gives of a sweep; null where it is none that this page knows. */
export function readSweepDefinition(definition: unknown): SweepDefinition | null {
  return schema.safeParse(definition).data ?? null;
}

/** The dataset of a sweep in one line: its name, or all of its selection. */
export function datasetText(dataset: unknown): string | null {
  if (typeof dataset === 'string') return dataset;
  if (typeof dataset !== 'object' || dataset === null) return null;
  const name: unknown = Reflect.get(dataset, 'name');
  const others = Object.keys(dataset).length - 1;
  if (typeof name !== 'string') return JSON.stringify(dataset);
  return others > 0 ? `${name}, ${others} more ${others === 1 ? 'setting' : 'settings'}` : name;
}
