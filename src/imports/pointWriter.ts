import { ImportPointsDocument, PointsHeldDocument } from '#src/generated/api.ts';
import type { ApiClient } from '#src/base/terminal/apiClient.ts';
import { type PointColumns, pointRange } from './pointRange.ts';
import { resend } from './resend.ts';

/** Points in one request: the API takes 100,000, but others write to it, too. */
const POINTS_AT_ONCE = 20_000;
/** Series that the server is asked about at once. */
const RANGES_AT_ONCE = 1_000;
/** Requests with points of a run that are under way at once: the API reads one while the database writes the other. */
const UNDER_WAY = 2;

type SentValue = number | 'NaN' | 'Infinity' | '-Infinity';
interface Series {
  steps: number[];
  values: number[];
  times: number[];
}

const NAMES = { NaN: 'NaN', Infinity: 'Infinity', '-Infinity': '-Infinity' } as const;

function sentValue(value: number): SentValue {
  if (Number.isFinite(value)) return value;
  return NAMES[String(value) as keyof typeof NAMES];
}

/** Sends the points of a run in batches; those that the server holds already it asks about and leaves out. */
export class PointWriter {
  /** Points that were sent, or were there. */
  points = 0;
  newPoints = 0;
  private readonly series = new Map<string, Series>();
  private buffered = 0;
  /** The greatest step of each series so far: a smaller one may be a repeated one. */
  private readonly lastSteps = new Map<string, number>();
  private repeated = false;
  private readonly underWay = new Set<Promise<void>>();
  private failure: unknown = null;

  /** @param held Metrics of which the run has points. */
  constructor(
    private readonly api: ApiClient,
    private readonly runId: string,
    private readonly held: ReadonlySet<string>,
  ) {}

  /** Takes points of a metric; sends when there are enough. */
  async add(name: string, { steps, values, times }: PointColumns): Promise<void> {
    const series = this.series.get(name) ?? { steps: [], values: [], times: [] };
    this.series.set(name, series);
    let last = this.lastSteps.get(name) ?? -1;
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i]!;
      if (step <= last) this.repeated = true;
      else last = step;
      series.steps.push(step);
      series.values.push(values[i]!);
      series.times.push(times[i]!);
    }
    this.lastSteps.set(name, last);
    this.buffered += steps.length;
    if (this.buffered >= POINTS_AT_ONCE) await this.send();
  }

  private async send(): Promise<void> {
    if (this.buffered === 0) return;
    const { repeated, buffered } = this;
    const found = [...this.series];
    this.series.clear();
    this.buffered = 0;
    this.repeated = false;
    const lacking = await this.withoutHeld(found);
    const points = lacking.reduce((sum, [, { steps }]) => sum + steps.length, 0);
    this.points += buffered - points;
    if (points === 0) return;
    // which of two values of a step is the newer one is judged among those that are there
    if (repeated) await this.settle();
    while (this.underWay.size >= UNDER_WAY) await Promise.race(this.underWay);
    this.refuseAfterFailure();
    const series = lacking.map(([name, { steps, values, times }]) => ({
      name,
      steps,
      times,
      values: values.map(sentValue),
    }));
    const variables = { runId: this.runId, series, repeated };
    const sending = resend(() => this.api.request(ImportPointsDocument, variables)).then(
      ({ logMetrics }) => {
        this.points += points;
        this.newPoints += logMetrics;
      },
      (error: unknown) => {
        this.failure ??= error;
      },
    );
    this.underWay.add(sending);
    void sending.finally(() => this.underWay.delete(sending));
    if (repeated) await this.settle();
  }

  /** The series of which the server lacks a point, or has another between the first and the last of these. */
  private async withoutHeld(found: readonly [string, Series][]): Promise<[string, Series][]> {
    const lacking = found.filter(([name]) => !this.held.has(name));
    const asked = found.filter(([name]) => this.held.has(name));
    for (let from = 0; from < asked.length; from += RANGES_AT_ONCE) {
      const some = asked.slice(from, from + RANGES_AT_ONCE);
      const variables = { runId: this.runId, ranges: some.map(([name, series]) => pointRange(name, series)) };
      const { pointsHeld } = await resend(() => this.api.request(PointsHeldDocument, variables));
      lacking.push(...some.filter((_, place) => pointsHeld[place] !== true));
    }
    return lacking;
  }

  private refuseAfterFailure(): void {
    if (this.failure !== null) throw this.failure;
  }

  private async settle(): Promise<void> {
    await Promise.all(this.underWay);
    this.refuseAfterFailure();
  }

  /** Sends what is left, and waits until all has arrived. */
  async flush(): Promise<void> {
    await this.send();
    await this.settle();
  }
}
