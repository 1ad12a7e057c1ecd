import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, the longest first; they mostly wait. */
const LONGEST = [
  'integration/chaos',
  'integration/worker',
  'integration/up',
  'integration/cli',
  'browser/accessibility',
  'integration/platform/embeddedPostgres',
  'integration/demo',
  'integration/platform/movedHomes',
  'integration/workerArtifacts',
  'browser/compareRuns',
  'browser/runsTable',
  'integration/queue/queueFailures',
  'browser/queueRun',
  'integration/silentConnections',
  'integration/apiProcess',
].map((name) => `test/${name}.test.ts`);
/** So many of them are begun before the files without services; one more worker than these computes meanwhile. */
const BESIDE_FAST = 3;

/**
 * Begins with the longest files, so that none is left over at the end, and goes through those without services, which
 * compute, while the first of the longest wait.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
      if (project.name !== 'services') return BESIDE_FAST;
      if (place < 0) return LONGEST.length + 1;
      return place < BESIDE_FAST ? place : place + 1;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
