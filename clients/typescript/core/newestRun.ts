import type { LogLevel } from '../generated/api.ts';
import type { LogPlace, MetricDefinition, Run } from './run.ts';

/** What a program calls without naming a run: about the one that `newest` answers, or throws that there is none. */
export function newestRunFunctions(newest: () => Run) {
  return {
    /** See `Run.log`. */
    log(data: Readonly<Record<string, unknown>>, place?: number | LogPlace): void {
      newest().log(data, place);
    },
    config: {
      /** See `Config.update`. */
      update: (parameters: Readonly<Record<string, unknown>>): void => newest().config.update(parameters),
      get: (name: string): unknown => newest().config.get(name),
      all: (): Record<string, unknown> => newest().config.all(),
    },
    /** The run's newest values; a number that is set here is logged when the run ends. */
    summary: new Proxy<Record<string, unknown>>(
      {},
      {
        get: (_none, name) => newest().summary[String(name)],
        set: (_none, name, value: unknown) => Reflect.set(newest().summary, name, value),
      },
    ),
    /** See `Run.defineMetric`. */
    defineMetric(name: string, definition?: MetricDefinition): void {
      newest().defineMetric(name, definition);
    },
    /** Writes a warning into the run's log. */
    alert(title: string, text?: string, level?: LogLevel): void {
      newest().alert(title, text, level);
    },
    /** Adds lines to the run's log. */
    logText(text: string, level?: LogLevel): void {
      newest().logText(text, level);
    },
  };
}
