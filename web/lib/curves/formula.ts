import jsep from 'jsep';
import * as z from 'zod/mini';
import type { MetricSeries } from '../metricSeries.ts';

/** A number computed from metrics: `"train/loss" / "valid/loss"`. */
export interface Formula {
  /** The metrics that it names, each once, the first as it stands in the text. */
  metrics: readonly string[];
  /** @param values Of the metrics, in their order. */
  valueAt(values: readonly number[]): number;
}

const FUNCTIONS: Readonly<Record<string, { least: number; most: number; of(...values: number[]): number }>> = {
  abs: { least: 1, most: 1, of: Math.abs },
  sqrt: { least: 1, most: 1, of: Math.sqrt },
  exp: { least: 1, most: 1, of: Math.exp },
  log: { least: 1, most: 1, of: Math.log },
  log2: { least: 1, most: 1, of: Math.log2 },
  log10: { least: 1, most: 1, of: Math.log10 },
  pow: { least: 2, most: 2, of: (base, power) => base ** power },
  min: { least: 1, most: 20, of: Math.min },
  max: { least: 1, most: 20, of: Math.max },
};
const OPERATIONS: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};
/** Longer formulas are refused: nobody reads them above a panel, and each is computed for every point. */
export const LONGEST_FORMULA = 500;

const namedNode = z.object({ type: z.literal('Identifier'), name: z.string() });
const literalNode = z.object({ type: z.literal('Literal'), value: z.union([z.number(), z.string()]) });
const unaryNode = z.object({ type: z.literal('UnaryExpression'), operator: z.string(), argument: z.unknown() });
const binaryNode = z.object({
  ...{ type: z.literal('BinaryExpression'), operator: z.string() },
  ...{ left: z.unknown(), right: z.unknown() },
});
const callNode = z.object({ type: z.literal('CallExpression'), callee: namedNode, arguments: z.array(z.unknown()) });
const nodeSchema = z.discriminatedUnion('type', [namedNode, literalNode, unaryNode, binaryNode, callNode]);

type Compute = (values: readonly number[]) => number;

/**
 * Reads a formula over metrics: numbers, `+ - * /`, parentheses, the functions above, and metrics by their names, in quotes
 * where these are more than one word.
 * @param known Metrics that there are.
 * @returns The formula, or a sentence that says what is wrong with the text.
 */
export function readFormula(text: string, known: readonly string[]): Formula | string {
  if (text.trim() === '') return 'Write a formula, such as "train/loss" / "valid/loss".';
  if (text.length > LONGEST_FORMULA) return `A formula has at most ${LONGEST_FORMULA} characters, not ${text.length}.`;
  const metrics: string[] = [];
  try {
    const valueAt = compile(jsep(text), { known, metrics });
    return metrics.length === 0 ? 'The formula names no metric.' : { metrics, valueAt };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function compile(tree: unknown, names: { known: readonly string[]; metrics: string[] }): Compute {
  const parsed = nodeSchema.safeParse(tree);
  if (!parsed.success) {
    throw new Error(`A formula has numbers, metrics, + - * /, parentheses and ${Object.keys(FUNCTIONS).join(', ')}.`);
  }
  const node = parsed.data;
  switch (node.type) {
    case 'Literal': {
      const { value } = node;
      return typeof value === 'string' ? metricOf(value, names) : () => value;
    }
    case 'Identifier':
      return metricOf(node.name, names);
    case 'UnaryExpression': {
      const of = compile(node.argument, names);
      if (node.operator === '-') return (values) => -of(values);
      if (node.operator === '+') return of;
      throw new Error(`A formula has no sign ${node.operator}, only + and -.`);
    }
    case 'BinaryExpression': {
      const operation = OPERATIONS[node.operator];
      if (operation === undefined) throw new Error(`A formula has no ${node.operator}, only + - * / and pow(x, y).`);
      const [left, right] = [compile(node.left, names), compile(node.right, names)];
      return (values) => operation(left(values), right(values));
    }
    case 'CallExpression': {
      const { name } = node.callee;
      const found = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
      if (found === undefined)
        throw new Error(`There is no function ${name}, only ${Object.keys(FUNCTIONS).join(', ')}.`);
      const { length } = node.arguments;
      if (length < found.least || length > found.most) {
        const wanted = found.least === found.most ? `${found.least}` : `${found.least} to ${found.most}`;
        throw new Error(`${name}() takes ${wanted} values, not ${length}.`);
      }
      const of = node.arguments.map((argument) => compile(argument, names));
      return (values) => found.of(...of.map((one) => one(values)));
    }
  }
}

function metricOf(name: string, { known, metrics }: { known: readonly string[]; metrics: string[] }): Compute {
  if (!known.includes(name)) {
    const near = known.find((one) => one.startsWith(`${name}/`) || one.startsWith(`${name}.`));
    const hint = near === undefined ? '' : ` Put names of more than one word in quotes: "${near}".`;
    throw new Error(`No run of the project has a metric ${name}.${hint}`);
  }
  if (!metrics.includes(name)) metrics.push(name);
  const place = metrics.indexOf(name);
  return (values) => values[place]!;
}

/**
 * A formula's series of one run: at each step of the first metric. The others have there the value that they were given, or
 * stand on the straight line between the points beside it; steps outside of one are left out.
 * @param series Those of the formula's metrics, in their order.
 */
export function formulaSeries(formula: Formula, name: string, series: readonly MetricSeries[]): MetricSeries {
  const [first, ...others] = series;
  const result: MetricSeries = { ...first!, name, steps: [], values: [], times: [], minimum: null, maximum: null };
  const places = others.map(() => 0);
  for (const [index, step] of first!.steps.entries()) {
    const beside = others.map((one, at) => {
      while (places[at]! + 1 < one.steps.length && one.steps[places[at]! + 1]! <= step) places[at]! += 1;
      return between(one, places[at]!, step);
    });
    if (beside.includes(null)) continue;
    result.steps.push(step);
    result.times.push(first!.times[index]!);
    result.values.push(formula.valueAt([first!.values[index]!, ...beside.map((value) => value ?? Number.NaN)]));
  }
  return { ...result, pointCount: result.steps.length };
}

function between({ steps, values }: MetricSeries, at: number, step: number): number | null {
  if (steps.length === 0 || step < steps[0]! || step > steps.at(-1)!) return null;
  if (steps[at] === step) return values[at]!;
  const share = (step - steps[at]!) / (steps[at + 1]! - steps[at]!);
  return values[at]! + share * (values[at + 1]! - values[at]!);
}
