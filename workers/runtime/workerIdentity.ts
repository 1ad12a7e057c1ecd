import { randomUUID } from 'node:crypto';
import { availableParallelism, hostname, release } from 'node:os';
import type { NewWorker } from '../../src/store/workerRecord.ts';
import { chooseBackend, detectBackends } from '../tensor/detectBackends.ts';
import { codeVersion } from './codeVersion.ts';
import { memoryLimitBytes } from './processMemory.ts';
import { ownPlace } from './processPlace.ts';

export interface WorkerSettings {
  /** Forced backend, or null for the best that is here. */
  backend: string | null;
  slots: number;
  threads: number;
  dataFolders: readonly string[];
}

/** This process as a worker: a new id at each start, so that what an earlier one held is fenced off. */
export function describeWorker(settings: WorkerSettings): NewWorker {
  const { backend, slots, threads, dataFolders } = settings;
  const chosen = chooseBackend(backend);
  const { version, commit } = codeVersion();
  const host = hostname();
  return {
    id: randomUUID(),
    name: `${host}-${process.pid}`,
    host,
    pid: process.pid,
    version,
    backend: chosen.name,
    device: chosen.device,
    slots,
    details: {
      commit,
      node: process.version,
      platform: `${process.platform} ${process.arch} ${release()}`,
      cores: availableParallelism(),
      threads,
      memoryMb: Math.round(memoryLimitBytes() / 2 ** 20),
      dataFolders,
      backends: detectBackends(),
      process: ownPlace(),
    },
  };
}
