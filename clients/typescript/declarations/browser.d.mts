import type { InitOptions, Run } from './common.mjs';
import type { Api } from './reading.mjs';

export * from './common.mjs';
export * from './reading.mjs';

/** Reads what a server has, whoever logged it: runs, their parameters, values, curves, logs and files. */
export function api(options: { server: string; token?: string }): Api;
/** Starts a run of a page. What is logged waits in the page's memory: a closed tab loses what was not sent. */
export function init(options: InitOptions & { server: string }): Promise<Run>;
/** Keeps a file with the run. */
export function logArtifact(content: Blob, name: string): void;
/**
 * A file of a run, `RUN:NAME` by id or number, or of a registered version, such as `ranker@production`, which the newest run is
 * noted to have taken.
 */
export function useArtifact(reference: string, options: { server: string; token?: string }): Promise<Blob>;
