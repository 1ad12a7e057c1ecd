import { z } from 'zod';
import type { Reporter } from '../experiment.ts';

/** Metrics by name, each with its steps and values in the order in which they came. */
const savedSchema = z.array(
  z.object({ name: z.string(), steps: z.array(z.int().min(0)), values: z.array(z.number()) }),
);

/** Reports metrics and remembers them, so that a checkpoint can hold them and later figures can draw them. */
export class MetricRecord {
  private readonly reporter: Pick<Reporter, 'metric'>;
  private readonly metrics = new Map<string, Map<number, number>>();

  constructor(reporter: Pick<Reporter, 'metric'>) {
    this.reporter = reporter;
  }

  metric(name: string, step: number, value: number): void {
    const series = this.metrics.get(name) ?? new Map<number, number>();
    series.set(step, value);
    this.metrics.set(name, series);
    this.reporter.metric(name, step, value);
  }

  /** Values by step, in the order in which they came; empty for a name that was never reported. */
  series(name: string): ReadonlyMap<number, number> {
    return this.metrics.get(name) ?? new Map();
  }

  /** The names that begin so. */
  names(beginning: string): string[] {
    return [...this.metrics.keys()].filter((name) => name.startsWith(beginning));
  }

  /** Plain data, for `restore`. */
  saved(): z.input<typeof savedSchema> {
    return [...this.metrics].map(([name, series]) => ({
      name,
      steps: [...series.keys()],
      values: [...series.values()],
    }));
  }

  /** Reports again all that another record saved. False, with nothing reported, where `saved` is none's. */
  restore(saved: unknown): boolean {
    const parsed = savedSchema.safeParse(saved);
    if (!parsed.success || parsed.data.some(({ steps, values }) => steps.length !== values.length)) return false;
    for (const { name, steps, values } of parsed.data) {
      for (const [index, step] of steps.entries()) this.metric(name, step, values[index]!);
    }
    return true;
  }
}
