import { randomUUID } from 'node:crypto';
import type { RunNeeds } from '#src/base/contracts/runNeeds.ts';
import type { Connection } from '#src/base/database/connection.ts';
import { databaseJson, databaseText, numberArrayLiteral } from '#src/base/database/databaseText.ts';
import { queryRows } from '#src/base/database/queryRows.ts';
import { RUN_COLUMNS, type RunRecord, runRow } from './runRecord.ts';

/** What the new runs have in common. */
export interface NewRuns {
  projectId: string;
  configurationHash: string;
  state: 'WAITING' | 'QUEUED' | 'RUNNING';
  priority: number;
  requiresGpu: boolean;
  /** The kind, where a module has added it; null unless given. */
  addedKind?: string | null;
  maxAttempts: number;
  tags: readonly string[];
  /** Who makes them; null where nobody says. */
  user: string | null;
  /** From which their parameters were filled in; none unless given. */
  preset?: string | null;
  /** RUNNING runs (of other programs) begin with attempt 1. */
  attempt: 0 | 1;
  /** Silence after which external runs count as crashed; runs of workers have none. */
  leaseSeconds?: number;
  /** What a worker must offer; null for runs of the queue. */
  needs?: RunNeeds | null;
  /** The sweep that draws them; the trial is null for runs that confirm one. */
  sweep?: SweepPlace | undefined;
  /** The run from which they branch off, after a step. */
  fork?: { parentId: string; step: number } | undefined;
}

/** Where runs stand in a sweep. */
export interface SweepPlace {
  id: string;
  trial: number | null;
}

/** One of the runs; without an id it gets a random one. */
export interface NewRun {
  name: string;
  seed: number;
  id?: string | undefined;
}

/** Inserts one run a name and seed; their numbers follow the order given. A run whose id is there already is left out. */
export async function insertRuns(
  connection: Connection,
  common: NewRuns,
  runs: readonly NewRun[],
): Promise<RunRecord[]> {
  const { user, preset = null, leaseSeconds = null, needs = null, addedKind = null, sweep, fork } = common;
  const rows = await queryRows(connection, runRow)`
    INSERT INTO run (id, project_id, configuration_hash, seed, name, tags, user_name, preset, state, priority, requires_gpu, needs,
      added_kind, attempt, max_attempts, sweep_id, sweep_trial, forked_from_id,
      fork_step, started_at, lease_seconds, last_heard_at, lease_expires_at)
    SELECT given.id, ${common.projectId}::uuid, ${common.configurationHash}, given.seed, given.name,
      ${common.tags.map(databaseText)}::text[], ${user === null ? null : databaseText(user)}, ${preset}, ${common.state}::run_state, ${common.priority}::int, ${common.requiresGpu}::boolean,
      ${needs === null ? null : databaseJson(needs)}::jsonb, ${addedKind},
      ${common.attempt}::int, ${common.maxAttempts}::int,
      ${sweep?.id ?? null}::uuid, ${sweep?.trial ?? null}::int, ${fork?.parentId ?? null}::uuid, ${fork?.step ?? null}::int8,
      CASE WHEN ${common.state} = 'RUNNING' THEN now() END, ${leaseSeconds}::int,
      CASE WHEN ${leaseSeconds}::int IS NOT NULL THEN now() END, now() + ${leaseSeconds}::int * interval '1 second'
    FROM unnest(${runs.map(({ id }) => id ?? randomUUID())}::uuid[], ${numberArrayLiteral(runs.map((run) => run.seed))}::int[],
      ${runs.map((run) => databaseText(run.name))}::text[]) WITH ORDINALITY AS given (id, seed, name, position)
    -- a conflict alone would take a number, and leave a gap
    WHERE NOT EXISTS (SELECT FROM run known WHERE known.id = given.id)
    ORDER BY given.position
    ON CONFLICT (id) DO NOTHING
    RETURNING ${RUN_COLUMNS}`;
  return rows.sort((a, b) => a.number - b.number);
}
