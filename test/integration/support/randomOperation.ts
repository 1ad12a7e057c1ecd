import {
  type GraphQLArgument,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Things } from './filledProject.ts';
import { validReads, validWrites } from './validOperations.ts';

export interface RandomOperation {
  kind: 'query' | 'mutation' | 'subscription';
  /** The fields that it asks for. */
  fields: string[];
  query: string;
  variables: Record<string, unknown>;
}

/** A number from 0 up to but without 1. */
export type Draw = () => number;

interface Choice {
  things: Things;
  draw: Draw;
  /** Only this field; any when left out. */
  field?: string | undefined;
}

const MOST_OBJECTS = 3;
const DEPTH = 3;
/** What they compute is mostly the same for everybody. */
const COSTLY = new Set(['studies', 'study', 'studyPlan', 'experimentKinds', 'kindModules', 'administration']);
/** For arguments below the first level that must be given. */
const NESTED: Readonly<Record<string, string>> = { version: '1', since: '"2020-01-01T00:00:00Z"', format: 'CSV' };

function pick<Item>(items: readonly Item[], draw: Draw): Item {
  return items[Math.floor(draw() * items.length)]!;
}

/** Things of one project and of another: each from the second with a chance. */
export function mixedThings(one: Things, other: Things, { share, draw }: { share: number; draw: Draw }): Things {
  const members = Object.entries(one).map(([name, value]) => [
    name,
    draw() < share ? other[name as keyof Things] : value,
  ]);
  return Object.fromEntries(members) as Things;
}

/** One to three fields of the schema in one operation, with arguments that name some things, asking for much of the answer. */
export function randomOperation(
  schema: GraphQLSchema,
  kind: RandomOperation['kind'],
  { things, draw, field }: Choice,
): RandomOperation {
  const root = {
    query: schema.getQueryType,
    mutation: schema.getMutationType,
    subscription: schema.getSubscriptionType,
  }[kind].call(schema);
  const valid = kind === 'mutation' ? validWrites(things) : validReads(things);
  const rootFields = root?.getFields();
  const all = Object.values(rootFields ?? {});
  const count = kind === 'subscription' || field !== undefined || draw() < 0.8 ? 1 : 1 + Math.ceil(draw() * 2);
  const declared: string[] = [];
  const parts: string[] = [];
  const variables: Record<string, unknown> = {};
  const fields: string[] = [];
  for (let index = 0; index < count; index++) {
    const drawn = pick(all, draw);
    // once more, so that they are rare
    const chosen = field === undefined ? (COSTLY.has(drawn.name) ? pick(all, draw) : drawn) : rootFields?.[field];
    const known = valid[chosen?.name ?? ''];
    if (chosen === undefined || known === undefined) throw new Error(`no valid ${kind} ${chosen?.name ?? field}`);
    const given: string[] = [];
    for (const [name, value] of Object.entries(pick(known.args, draw))) {
      const type = chosen.args.find((argument) => argument.name === name)?.type;
      if (type === undefined) throw new Error(`${chosen.name} has no argument ${name}`);
      variables[`${name}${index}`] = value;
      declared.push(`$${name}${index}: ${String(type)}`);
      given.push(`${name}: $${name}${index}`);
    }
    const call = given.length === 0 ? '' : `(${given.join(', ')})`;
    parts.push(`f${index}: ${chosen.name}${call}${selectionOf(chosen.type, DEPTH, draw)}`);
    fields.push(chosen.name);
  }
  const head = declared.length === 0 ? '' : `(${declared.join(', ')})`;
  return { kind, fields, variables, query: `${kind}${head} { ${parts.join(' ')} }` };
}

/** ` { … }` of all leaves and, `depth` levels down, of some objects; empty for leaves. */
export function selectionOf(type: GraphQLOutputType, depth: number, draw: Draw): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return '';
  const all = Object.values(named.getFields()).filter(({ args }) => args.every((one) => argumentOf(one) !== null));
  const isLeaf = (one: { type: GraphQLOutputType }) => isLeafType(getNamedType(one.type));
  const objects = all.filter((one) => !isLeaf(one));
  const chosen = new Set(all.filter(isLeaf));
  // pages lead on whatever is drawn
  for (const one of objects) if (one.name === 'edges' || one.name === 'node') chosen.add(one);
  const isPage = chosen.size > 0 && objects.some(({ name }) => name === 'edges');
  for (let count = 0; depth > 0 && !isPage && objects.length > 0 && count < MOST_OBJECTS; count++)
    chosen.add(pick(objects, draw));
  const parts = [...chosen].flatMap((field) => {
    const passes = field.name === 'edges' || field.name === 'node';
    const inner = selectionOf(field.type, passes ? depth : depth - 1, draw);
    if (inner === '' && !isLeaf(field)) return [];
    const given = field.args.flatMap((one) => argumentOf(one) ?? []);
    return [`${field.name}${given.length === 0 ? '' : `(${given.join(', ')})`}${inner}`];
  });
  return parts.length === 0 ? ' { __typename }' : ` { ${parts.join(' ')} }`;
}

/** What is given for an argument below the first level: nothing where it may be left out, null where none is known. */
function argumentOf({ name, type, defaultValue }: GraphQLArgument): string[] | null {
  if (name === 'first') return ['first: 3'];
  if (!isNonNullType(type) || defaultValue !== undefined) return [];
  const value = NESTED[name];
  return value === undefined ? null : [`${name}: ${value}`];
}
