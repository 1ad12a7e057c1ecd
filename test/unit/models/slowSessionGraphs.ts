/** Networks over the graphs of single sessions, with the matrices of the authors' programs and in double precision. */
import { type PlainParameters, plus, product, rowOf, times, type Vector } from './slowNetworks.ts';

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** Rows A[u][v] = 1 where v comes after u, of the distinct items of a session. */
function sessionMatrix(items: readonly number[], nodes: readonly number[]): number[][] {
  const matrix = nodes.map(() => nodes.map(() => 0));
  for (const [at, item] of items.slice(0, -1).entries()) {
    matrix[nodes.indexOf(item)]![nodes.indexOf(items[at + 1]!)] = 1;
  }
  return matrix;
}

const mean = (weights: readonly number[], rows: readonly Vector[]): Vector => {
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  return rows[0]!.map((_, c) => rows.reduce((sum, row, at) => sum + (weights[at]! / total) * row[c]!, 0));
};

/** (length, d) SR-GNN's states after each prefix (Eqs. 1 to 7), each from a graph of its own. */
export function slowSrGnnStates(p: PlainParameters, items: readonly number[], steps: number): Vector[] {
  return items.map((_, at) => slowSrGnnState(p, items.slice(0, at + 1), steps));
}

function slowSrGnnState(p: PlainParameters, items: readonly number[], steps: number): Vector {
  const d = p.get('join/bias')!.length;
  const nodes = [...new Set(items)];
  const after = sessionMatrix(items, nodes);
  const apply = (name: string, x: Vector): Vector => times(x, p.get(`${name}/weight`)!, p.get(`${name}/bias`)!);
  let states = nodes.map((item) => rowOf(p.get('items')!, item, d));
  for (let step = 0; step < steps; step++) {
    const [came, comes] = ['before', 'after'].map((side) => states.map((state) => apply(side, state)));
    states = states.map((state, node) => {
      const heard = [
        mean(
          after.map((row) => row[node]!),
          came!,
        ),
        mean(after[node]!, comes!),
      ].map((row, side) => plus(row, [...p.get(`${['before', 'after'][side]}/shift`)!]));
      const input = ['before', 'after'].reduce(
        (sum, side, at) => plus(sum, times(heard[at]!, p.get(`${side}/gates`)!, null)),
        [...p.get('input/bias')!],
      );
      const hidden = apply('hidden', state);
      return state.map((value, c) => {
        const reset = sigmoid(input[c]! + hidden[c]!);
        const update = sigmoid(input[d + c]! + hidden[d + c]!);
        const next = Math.tanh(input[2 * d + c]! + reset * hidden[2 * d + c]!);
        return (1 - update) * value + update * next;
      });
    });
  }
  const last = states[nodes.indexOf(items.at(-1)!)]!;
  const sum = items.reduce<Vector>(
    (total, item) => {
      const state = states[nodes.indexOf(item)]!;
      const gate = plus(apply('last', last), apply('each', state)).map(sigmoid);
      const weight = product(gate, [...p.get('attention')!]);
      return plus(
        total,
        state.map((value) => weight * value),
      );
    },
    states[0]!.map(() => 0),
  );
  return apply('join', [...sum, ...last]);
}
