import { STUDIES } from '#src/catalog/studies/studies.ts';
import type { RunState } from '#src/base/contracts/runState.ts';
import {
  type LineageSide,
  listRunNeighbours,
  listRunOrigins,
  listRunsOfVersions,
  listVersionNeighbours,
  type RunNeighbour,
  type VersionNeighbour,
} from '#src/runs/store/lineage.ts';
import type { RunRecord } from '#src/runs/store/runRecord.ts';
import type { ServiceContext } from '#src/base/database/serviceContext.ts';
import { studyTag } from '../studies/readStudyRuns.ts';

export type LineageNodeType = 'RUN' | 'VERSION' | 'DATASET' | 'SWEEP' | 'STUDY' | 'DECISION';

export interface LineageNode {
  /** Within this answer. */
  id: string;
  type: LineageNodeType;
  /** By what its page is found; empty where it has none. */
  reference: string;
  label: string;
  detail: string;
  /** Of runs. */
  state: RunState | null;
  /** Steps from the run: below 0 before it, above 0 after it. */
  distance: number;
}

export interface LineageEdge {
  from: string;
  to: string;
  /** What passed along it; may be empty. */
  label: string;
}

/** Neighbors of a node that are not answered. */
export interface LineageRest {
  node: string;
  side: LineageSide;
  count: number;
}

export interface Lineage {
  nodes: LineageNode[];
  edges: LineageEdge[];
  rest: LineageRest[];
}

/** Neighbors of one sort that are answered: of the run itself, and of those beside it. */
const FIRST = 8;
const FIRST_BEYOND = 4;

/**
 * What a run was made from and what was made from it, two steps both ways: runs by artifacts and forks, registered versions, its
 * data, the sweep, study or adaptive comparison that it belongs to. Only what the caller sees.
 */
export async function runLineage({ db }: Pick<ServiceContext, 'db'>, run: RunRecord): Promise<Lineage> {
  const graph = lineageGraph(run);
  for (const [side, sign] of [
    ['BEFORE', -1],
    ['AFTER', 1],
  ] as const) {
    const near = { side, first: FIRST };
    const beyond = { side, first: FIRST_BEYOND };
    const [runs, versions] = [
      await listRunNeighbours(db, [run.id], near),
      await listVersionNeighbours(db, [run.id], near),
    ];
    graph.addRuns(runs, { side, distance: sign, owner: runKey });
    graph.addVersions(versions, { side, distance: sign });
    const ids = runs.map(({ id }) => id);
    graph.addRuns(await listRunNeighbours(db, ids, beyond), { side, distance: 2 * sign, owner: runKey });
    graph.addVersions(await listVersionNeighbours(db, ids, beyond), { side, distance: 2 * sign });
    const versionIds = versions.map(({ id }) => id);
    graph.addRuns(await listRunsOfVersions(db, versionIds, beyond), { side, distance: 2 * sign, owner: versionKey });
  }
  for (const origin of await listRunOrigins(db, run.id, FIRST)) {
    const id = `${origin.type}:${origin.reference}:${origin.label}:${origin.detail}`;
    graph.add({ ...origin, id, state: null, distance: -1 });
    graph.connect(id, runKey(run.id), 'BEFORE', '');
  }
  for (const study of STUDIES.filter((one) => run.tags.includes(studyTag(one)))) {
    const id = `STUDY:${study.name}`;
    graph.add({ id, type: 'STUDY', reference: study.name, label: study.name, detail: '', state: null, distance: -1 });
    graph.connect(id, runKey(run.id), 'BEFORE', '');
  }
  return graph.lineage;
}

const runKey = (id: string) => `RUN:${id}`;
const versionKey = (id: string) => `VERSION:${id}`;

interface Placing {
  side: LineageSide;
  distance: number;
}

/** Nodes and edges that are added once, however they are reached. */
function lineageGraph(run: RunRecord) {
  const lineage: Lineage = { nodes: [], edges: [], rest: [] };
  const known = new Set<string>();
  const connected = new Set<string>();
  const rests = new Map<string, LineageRest>();

  function add(node: LineageNode): void {
    if (known.has(node.id)) return;
    known.add(node.id);
    lineage.nodes.push(node);
  }
  /** Connects what is beside an owner with it. */
  function connect(beside: string, owner: string, side: LineageSide, label: string): void {
    const [from, to] = side === 'BEFORE' ? [beside, owner] : [owner, beside];
    if (connected.has(`${from} ${to}`)) return;
    connected.add(`${from} ${to}`);
    lineage.edges.push({ from, to, label });
  }
  /** Says how many neighbors of an owner are left out; called once for each list of them. */
  function leaveOut(
    found: readonly { ownerId: string; total: number }[],
    owner: (id: string) => string,
    side: LineageSide,
  ) {
    const answered = new Map<string, { total: number; count: number }>();
    for (const { ownerId, total } of found) {
      answered.set(ownerId, { total, count: (answered.get(ownerId)?.count ?? 0) + 1 });
    }
    for (const [id, { total, count }] of answered) {
      if (total === count) continue;
      const key = `${owner(id)} ${side}`;
      const rest = rests.get(key) ?? { node: owner(id), side, count: 0 };
      if (rest.count === 0) lineage.rest.push(rest);
      rest.count += total - count;
      rests.set(key, rest);
    }
  }

  add({
    ...{
      id: runKey(run.id),
      type: 'RUN',
      reference: String(run.number),
      label: run.name,
      state: run.state,
      distance: 0,
    },
    detail: run.attempt > 1 ? `attempt ${run.attempt}` : '',
  });
  return {
    lineage,
    add,
    connect,
    addRuns(found: readonly RunNeighbour[], { side, distance, owner }: Placing & { owner: (id: string) => string }) {
      for (const { id, ownerId, number, name, state, labels } of found) {
        const node = { id: runKey(id), type: 'RUN', reference: String(number), label: name, detail: '' } as const;
        add({ ...node, state, distance });
        connect(runKey(id), owner(ownerId), side, labels.join(', '));
      }
      leaveOut(found, owner, side);
    },
    addVersions(found: readonly VersionNeighbour[], { side, distance }: Placing) {
      for (const { id, ownerId, name, number, type } of found) {
        const node = { id: versionKey(id), type: 'VERSION', reference: name, label: `${name}:${number}` } as const;
        add({ ...node, detail: type, state: null, distance });
        connect(versionKey(id), runKey(ownerId), side, '');
      }
      leaveOut(found, runKey, side);
    },
  };
}
