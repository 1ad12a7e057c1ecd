import { type ASTVisitor, GraphQLError, Kind, type SelectionSetNode, type ValidationContext } from 'graphql';
import { LIMITS } from '#src/base/graphql/limits.ts';

/**
 * Refuses operations whose fields nest deeper than `LIMITS.depth`. Fragments count where they are spread; introspection is
 * left to graphql's own rule, since its standard query is deep and harmless.
 */
export function depthRule(context: ValidationContext): ASTVisitor {
  const depthOfFragment = new Map<string, number>();

  function depthOf(selections: SelectionSetNode): number {
    let deepest = 0;
    for (const node of selections.selections) {
      let depth = 0;
      if (node.kind === Kind.FIELD) {
        if (node.name.value.startsWith('__')) continue;
        depth = 1 + (node.selectionSet ? depthOf(node.selectionSet) : 0);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        depth = depthOf(node.selectionSet);
      } else {
        depth = depthOfSpread(node.name.value);
      }
      deepest = Math.max(deepest, depth);
    }
    return deepest;
  }

  function depthOfSpread(name: string): number {
    const known = depthOfFragment.get(name);
    if (known !== undefined) return known;
    depthOfFragment.set(name, 0); // a fragment that spreads itself is refused by another rule; it must only end here
    const fragment = context.getFragment(name);
    const depth = fragment ? depthOf(fragment.selectionSet) : 0;
    depthOfFragment.set(name, depth);
    return depth;
  }

  return {
    OperationDefinition(node) {
      const depth = depthOf(node.selectionSet);
      if (depth > LIMITS.depth) {
        const message = `the operation nests ${depth} fields deep; at most ${LIMITS.depth} are allowed`;
        context.reportError(new GraphQLError(message, { nodes: node, extensions: { code: 'BAD_INPUT' } }));
      }
    },
  };
}
