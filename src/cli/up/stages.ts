import type { SupervisedService } from './supervise.ts';

/** What was started, in stages that are stopped in the reverse order of their start. */
export interface Stages {
  add(stage: Stage, service: SupervisedService): void;
  /** Starts the services of a stage again. */
  restart(stage: Stage): Promise<void>;
  /** Ends each stage when the next one has ended: workers can hand their runs back to a database that still runs. */
  stop(): Promise<void>;
  /** Ends everything at once. */
  kill(): void;
}

const ORDER = ['database', 'api', 'workers'] as const;
export type Stage = (typeof ORDER)[number];

export function createStages(): Stages {
  const services: Record<Stage, SupervisedService[]> = { database: [], api: [], workers: [] };
  return {
    add: (stage, service) => void services[stage].push(service),
    async restart(stage) {
      await Promise.all(services[stage].map((service) => service.restart()));
    },
    async stop() {
      for (const stage of [...ORDER].reverse()) await Promise.all(services[stage].map((service) => service.stop()));
    },
    kill() {
      for (const service of ORDER.flatMap((stage) => services[stage])) service.kill();
    },
  };
}
