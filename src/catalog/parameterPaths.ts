import { z } from 'zod';
import type { KindDefinition } from './kind.ts';

const nodeSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
});

/** The paths at which a kind's parameters can be set, those of groups with their members: `optimizer`, `optimizer.smoothing.beta`. */
export function parameterPaths(kind: Pick<KindDefinition, 'parameters'>): string[] {
  return [...new Set(pathsOf(z.toJSONSchema(kind.parameters, { io: 'input' }), ''))];
}

function pathsOf(schema: unknown, prefix: string): string[] {
  const { data: node } = nodeSchema.safeParse(schema);
  if (node === undefined) return [];
  const own = Object.entries(node.properties ?? {}).flatMap(([name, inner]) => [
    `${prefix}${name}`,
    ...pathsOf(inner, `${prefix}${name}.`),
  ]);
  return [...own, ...[...(node.anyOf ?? []), ...(node.oneOf ?? [])].flatMap((variant) => pathsOf(variant, prefix))];
}
