import { randomUUID } from 'node:crypto';
import type { TestApi } from './apiForTests.ts';

/** A sweep over the learning rate whose trials a test executes itself, as an agent does. */
export interface AgentSweep {
  number: number;
  /** Takes the next trial and reports its loss. @returns The id of its run, which goes on. */
  begin(loss: number): Promise<string>;
  /** As `begin`, and ends the run: it failed where a reason is given. */
  end(loss: number, reason?: string): Promise<string>;
}

const FINISH = `mutation ($runId: ID!, $state: RunState!, $reason: String) {
  finishRun(runId: $runId, state: $state, errorMessage: $reason) { id } }`;

/** Starts a sweep of agents that minimizes `valid/loss`. */
export async function agentSweep(
  api: TestApi,
  { name, trials, project }: { name: string; trials: number; project: string },
): Promise<AgentSweep> {
  const file = {
    ...{ method: 'random', kind: 'external', metric: { name: 'valid/loss', goal: 'minimize' }, run_cap: trials },
    ...{ seeds: [1], name, parameters: { lr: { min: 0.001, max: 0.1 } } },
  };
  const create = `mutation ($file: JSON!, $project: String!) {
    createSweep(input: { file: $file, project: $project }) { sweep { number } } }`;
  const { number } = (await api.ok(create, { file, project })).createSweep.sweep;
  const begin = async (loss: number): Promise<string> => {
    const runId = randomUUID();
    await api.ok(
      `mutation ($runId: ID!, $series: [MetricPointsInput!]!) {
        takeTrial(input: { sweep: "${number}", runId: $runId }) { outcome } logMetrics(runId: $runId, series: $series) }`,
      { runId, series: [{ name: 'valid/loss', steps: [0], values: [loss] }] },
    );
    return runId;
  };
  return {
    number,
    begin,
    end: async (loss, reason) => {
      const runId = await begin(loss);
      await api.ok(FINISH, { runId, state: reason === undefined ? 'SUCCEEDED' : 'FAILED', reason: reason ?? null });
      return runId;
    },
  };
}
