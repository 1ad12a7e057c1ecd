/** LESSR over the graphs of sessions as its authors' program builds them, in double precision and one number at a time. */
import type { LessrOptions } from '#workers/models/lessr.ts';
import { type PlainParameters, plus, product, rowOf, times, type Vector } from './slowNetworks.ts';

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

interface Session {
  nodes: number[];
  /** Ends of each step, in the order of time. */
  steps: [from: number, to: number][];
  /** Distinct pairs of places i ≤ j as nodes. */
  shortcuts: [from: number, to: number][];
  last: number;
  rows: Vector[];
}

function sessionOf(items: readonly number[]): Session {
  const nodes = [...new Set(items)];
  const places = items.map((item) => nodes.indexOf(item));
  const steps = places.slice(1).map((to, at): [number, number] => [places[at]!, to]);
  const pairs = places.flatMap((from, i) => places.slice(i).map((to) => `${from} ${to}`));
  const shortcuts = [...new Set(pairs)].map((pair) => pair.split(' ').map(Number) as [number, number]);
  return { nodes, steps, shortcuts, last: places.at(-1)!, rows: [] };
}

/** (sessions, d) The states after sessions that are one batch. */
export function slowLessrStates(
  p: PlainParameters,
  given: readonly (readonly number[])[],
  { d, layers, options }: { d: number; layers: number; options: LessrOptions },
): Vector[] {
  const sessions = given.map(sessionOf);
  const of = (name: string): Float64Array => p.get(name)!;
  const normalise = (name: string, rows: Vector[]): Vector[] => {
    if (!options.batchNorm) return rows;
    const mean = rows[0]!.map((_, c) => rows.reduce((sum, row) => sum + row[c]!, 0) / rows.length);
    const variance = mean.map((m, c) => rows.reduce((sum, row) => sum + (row[c]! - m) ** 2, 0) / rows.length);
    return rows.map((row) =>
      row.map(
        (x, c) => ((x - mean[c]!) / Math.sqrt(variance[c]! + 1e-5)) * of(`${name}/gain`)[c]! + of(`${name}/bias`)[c]!,
      ),
    );
  };
  const bent = (name: string, x: Vector): Vector => x.map((value, c) => (value > 0 ? value : value * of(name)[c]!));
  /** Weighted sum of rows by the softmax of gated scores. */
  const attend = (scores: number[], rows: Vector[]): Vector => {
    const shares = scores.map(Math.exp);
    const total = shares.reduce((sum, share) => sum + share, 0);
    return rows[0]!.map((_, c) => rows.reduce((sum, row, at) => sum + (shares[at]! / total) * row[c]!, 0));
  };
  const gate = (name: string, a: Vector, b: Vector): number => product(plus(a, b).map(sigmoid), [...of(name)]);
  /** Normalised over the nodes of all sessions, by session. */
  const normalisedRows = (name: string): Vector[][] => {
    const all = normalise(
      name,
      sessions.flatMap(({ rows }) => rows),
    );
    return sessions.map(({ rows }) => all.splice(0, rows.length));
  };
  for (const session of sessions) {
    session.rows = session.nodes.map((item) => {
      const row = rowOf(of('items'), item, d);
      const norm = Math.hypot(...row);
      return norm > options.maximumNorm ? row.map((x) => (x * options.maximumNorm) / norm) : row;
    });
  }
  for (let layer = 0; layer < layers; layer++) {
    const at = `layer${layer}`;
    const normal = normalisedRows(`${at}/norm`);
    for (const [s, session] of sessions.entries()) {
      const x = normal[s]!;
      const heard = session.nodes.map((_, node) => {
        if (layer % 2 === 0) {
          const own = times(x[node]!, of(`${at}/self`), null);
          const from = session.steps.filter(([, to]) => to === node).map(([source]) => x[source]!);
          return from.length === 0 ? own : plus(own, times(lastOfGru(p, at, from), of(`${at}/neighbours`), null));
        }
        const sources = session.shortcuts.filter(([, to]) => to === node).map(([source]) => x[source]!);
        const key = times(x[node]!, of(`${at}/hears`), null);
        const scores = sources.map((source) =>
          gate(`${at}/attention`, times(source, of(`${at}/heard/weight`), of(`${at}/heard/bias`)), key),
        );
        return attend(
          scores,
          sources.map((source) => times(source, of(`${at}/values`), null)),
        );
      });
      session.rows = session.rows.map((row, node) => [...bent(`${at}/slope`, heard[node]!), ...row]);
    }
  }
  const normal = normalisedRows('readOut/norm');
  const joined = sessions.map((session, s) => {
    const x = normal[s]!;
    const led = times(x[session.last]!, of('readOut/last/weight'), of('readOut/last/bias'));
    const scores = x.map((row) => gate('readOut/attention', times(row, of('readOut/each'), null), led));
    const all = bent('readOut/slope', times(attend(scores, x), of('readOut/out'), null));
    return [...session.rows[session.last]!, ...all];
  });
  return normalise('join/norm', joined).map((row) => times(row, of('join'), null));
}

function lastOfGru(p: PlainParameters, at: string, inputs: readonly Vector[]): Vector {
  const n = inputs[0]!.length;
  let state: Vector = inputs[0]!.map(() => 0);
  for (const input of inputs) {
    const i = times(input, p.get(`${at}/input`)!, p.get(`${at}/inputBias`)!);
    const s = times(state, p.get(`${at}/hidden`)!, p.get(`${at}/hiddenBias`)!);
    state = state.map((before, c) => {
      const update = sigmoid(i[n + c]! + s[n + c]!);
      const next = Math.tanh(i[2 * n + c]! + sigmoid(i[c]! + s[c]!) * s[2 * n + c]!);
      return (1 - update) * next + update * before;
    });
  }
  return state;
}
