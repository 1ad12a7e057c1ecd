import type { Reporter } from './experiment.ts';

/** A reporter for one part of a run: it reports as `reporter` does, but for what `over` has. */
export function reporterWithin(reporter: Reporter, over: Partial<Reporter>): Reporter {
  return {
    metric: (name, step, value) => reporter.metric(name, step, value),
    log: (level, text) => reporter.log(level, text),
    progress: (fraction, message) => reporter.progress(fraction, message),
    artifact: (name, bytes, mediaType) => reporter.artifact(name, bytes, mediaType),
    checkpoint: (step, bytes) => reporter.checkpoint(step, bytes),
    timing: (phase, seconds) => reporter.timing(phase, seconds),
    note: (name, value) => reporter.note(name, value),
    ...over,
  };
}
