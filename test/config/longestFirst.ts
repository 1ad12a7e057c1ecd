import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, the longest first; they mostly wait. */
const LONGEST = [
  'integration/chaos',
  'integration/up',
  'integration/worker',
  'browser/accessibility',
  'integration/storageChaos',
  'integration/commands/commands',
  'integration/workerArtifacts',
  'integration/mlflowClients',
  'integration/cli',
  'integration/documents/your-own-model',
  'integration/demo',
  'integration/documents/backup',
  'browser/runsTable',
  'integration/platform/embeddedPostgres',
  'integration/documents/sweeps',
  'browser/queueRun',
  'integration/apiProcess',
  'integration/sweepControllers',
  'integration/documents/deploy',
  'integration/queue/queueFailures',
  'integration/silentConnections',
  'integration/processSecrets',
  'browser/sweeps',
  'integration/manySubscribers',
  'browser/compareRuns',
  'integration/resumedTraining',
  'integration/platform/movedHomes',
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
