import type { Reporter } from 'vitest/node';
import { processorMs } from './processorTime.ts';

interface FileTimes {
  processorMs: number;
  clockMs: number;
  tests: number;
  name: string;
}

const seconds = (ms: number): string => (Number.isFinite(ms) ? (ms / 1000).toFixed(1) : '–').padStart(9);

function row({ processorMs, clockMs, tests, name }: FileTimes): string {
  return `${seconds(processorMs)} ${seconds(clockMs)} ${String(tests).padStart(6)}  ${name}`;
}

/**
 * Prints at the end what each test file took, in seconds, the dearest first: of the processor, with all programs that it
 * started and that ended with it, and of the clock, from its loading to its end. What files share, such as PostgreSQL, and
 * vitest itself are the difference between their sum and the whole.
 */
export function printTimesByFile(): Reporter {
  const files: FileTimes[] = [];
  const began = performance.now();
  return {
    onTestModuleEnd(module) {
      const { duration, collectDuration, setupDuration, prepareDuration, environmentSetupDuration } =
        module.diagnostic();
      files.push({
        processorMs: module.meta().processorMs ?? Number.NaN,
        clockMs: duration + collectDuration + setupDuration + prepareDuration + environmentSetupDuration,
        tests: [...module.children.allTests()].length,
        name: module.relativeModuleId,
      });
    },
    onTestRunEnd() {
      const sorted = files.toSorted((a, b) => b.processorMs - a.processorMs);
      const sum = (key: 'processorMs' | 'clockMs' | 'tests'): number => files.reduce((all, file) => all + file[key], 0);
      const together = { processorMs: sum('processorMs'), clockMs: sum('clockMs'), tests: sum('tests') };
      const whole = {
        processorMs: processorMs([process.pid]),
        clockMs: performance.now() - began,
        tests: together.tests,
      };
      const lines = [
        'processor     clock  tests  file',
        ...sorted.map(row),
        row({ ...together, name: 'all files' }),
        row({ ...whole, name: 'the whole run' }),
      ];
      process.stdout.write(`\n${lines.join('\n')}\n\n`);
    },
  };
}
