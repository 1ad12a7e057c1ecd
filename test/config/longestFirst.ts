import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files with services that take longest, the longest first. */
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
  'integration/sweeps/sweepControllers',
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

/** Begins with the files that take longest, so that none is left over at the end when the other workers have none. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification): number => {
      if (project.name === 'numerics') return -1;
      const place = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
      return place < 0 ? LONGEST.length : place;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
