import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

/** What arguments may name, by what they are. */
export interface Targets {
  runs: readonly string[];
  sweeps: readonly string[];
  decisions: readonly string[];
  views: readonly string[];
  reports: readonly string[];
  projects: readonly string[];
  configurations: readonly string[];
  filters: readonly string[];
  groups: readonly string[];
  texts: readonly string[];
}

export interface RandomOperation {
  field: string;
  kind: 'query' | 'mutation' | 'subscription';
  query: string;
  variables: Record<string, unknown>;
}

/** A number from 0 up to but without 1. */
export type Draw = () => number;

const MOST_FIELDS = 12;

/** An operation of one field of the schema whose arguments name what `targets` has, and that asks for much of the answer. */
export function randomOperation(
  schema: GraphQLSchema,
  { kind, targets, draw }: { kind: RandomOperation['kind']; targets: Targets; draw: Draw },
): RandomOperation {
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  const fields = Object.values(roots[kind]?.getFields() ?? {});
  const field = pick(fields, draw);
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const given: string[] = [];
  for (const argument of field.args) {
    if (!isNonNullType(argument.type) && argument.name !== 'project' && draw() < 0.4) continue;
    variables[argument.name] = givenFor(argument.type, { name: argument.name, field: field.name, targets, draw });
    declared.push(`$${argument.name}: ${String(argument.type)}`);
    given.push(`${argument.name}: $${argument.name}`);
  }
  const head = declared.length === 0 ? '' : `(${declared.join(', ')})`;
  const call = given.length === 0 ? '' : `(${given.join(', ')})`;
  return {
    ...{ field: field.name, kind, variables },
    query: `${kind}${head} { ${field.name}${call}${selectionOf(field.type, 3, draw)} }`,
  };
}

function pick<Item>(items: readonly Item[], draw: Draw): Item {
  return items[Math.floor(draw() * items.length)]!;
}

interface Place {
  name: string;
  field: string;
  targets: Targets;
  draw: Draw;
}

function givenFor(type: GraphQLInputType, place: Place): unknown {
  if (isNonNullType(type)) return givenFor(type.ofType, place);
  if (isListType(type)) return [givenFor(type.ofType, place)];
  const { name, field, targets, draw } = place;
  if (isInputObjectType(type)) {
    const members: [string, unknown][] = [];
    for (const member of Object.values(type.getFields())) {
      if (!isNonNullType(member.type) && member.name !== 'project' && draw() < 0.6) continue;
      members.push([member.name, givenFor(member.type, { ...place, name: member.name })]);
    }
    return Object.fromEntries(members);
  }
  if (isEnumType(type)) return pick(type.getValues(), draw).name;
  switch (type.name) {
    case 'Int':
      return Math.floor(draw() * 5);
    case 'Float':
      return draw();
    case 'Boolean':
      return draw() < 0.5;
    case 'Step':
      return Math.floor(draw() * 5);
    case 'DateTime':
      return '2020-01-01T00:00:00Z';
    case 'JSON':
      return {};
    case 'MetricValue':
      return 1;
    default:
      return textOf(name, { field, targets, draw });
  }
}

function textOf(name: string, { field, targets, draw }: Omit<Place, 'name'>): string {
  if (/project/i.test(name)) return pick(targets.projects, draw);
  if (name === 'filter') return pick(targets.filters, draw);
  if (name === 'hash') return pick(targets.configurations, draw);
  if (name === 'group' || name === 'baseline') return pick(targets.groups, draw);
  if (name === 'groupBy') return pick(['kind', 'project', 'configuration', 'tag', 'state'], draw);
  if (field === 'project' && name === 'name') return pick(targets.projects, draw);
  if (/sweep/i.test(field) && name === 'id') return pick(targets.sweeps, draw);
  if (/decision/i.test(field) && name === 'id') return pick(targets.decisions, draw);
  if (/view/i.test(field) && name === 'id') return pick(targets.views, draw);
  if (/report/i.test(field) && name === 'id') return pick(targets.reports, draw);
  if (/^(id|ids|runId|runIds|a|b|forkFrom)$/.test(name)) return pick(targets.runs, draw);
  return pick(targets.texts, draw);
}

/** ` { … }` of leaves and, `depth` levels down, of objects that need no arguments; empty for leaves. */
function selectionOf(type: GraphQLOutputType, depth: number, draw: Draw): string {
  const named = getNamedType(type);
  if (isLeafType(named) || !isObjectType(named)) return '';
  const all = Object.values(named.getFields()).filter((field) => !field.args.some(isRequired));
  const leaves = all.filter((field) => isLeafType(getNamedType(field.type)));
  const objects = all.filter((field) => !isLeafType(getNamedType(field.type)));
  const chosen: GraphQLField<unknown, unknown>[] = [...leaves.slice(0, MOST_FIELDS * 2)];
  if (depth > 0) {
    for (let count = 0; count < 3 && objects.length > 0; count++) {
      const one = pick(objects, draw);
      if (!chosen.includes(one)) chosen.push(one);
    }
  }
  const parts = chosen.flatMap((field) => {
    const inner = selectionOf(field.type, depth - 1, draw);
    return inner === '' && !isLeafType(getNamedType(field.type)) ? [] : [`${field.name}${inner}`];
  });
  return parts.length === 0 ? ' { __typename }' : ` { ${parts.join(' ')} }`;
}

function isRequired({ type, defaultValue }: GraphQLArgument): boolean {
  return isNonNullType(type) && defaultValue === undefined;
}
