import type { Reporter } from 'vitest/node';

/**
 * Names at the end the tests that passed only when they were tried again, with what their first try said: each of them
 * is a fault, of the test or of Warren, that nobody should have to look for among thousands of lines.
 */
export function nameSecondTries(): Reporter {
  const found: string[] = [];
  return {
    onTestCaseResult(test) {
      if (!test.diagnostic()?.flaky) return;
      const reasons = (test.result().errors ?? []).map(({ message }) => `      ${message.split('\n')[0]}`);
      found.push([`    ${test.module.relativeModuleId}: ${test.fullName}`, ...reasons].join('\n'));
    },
    onTestRunEnd() {
      if (found.length > 0) process.stdout.write(`\n  Passed only at the second try:\n${found.join('\n')}\n\n`);
    },
  };
}
