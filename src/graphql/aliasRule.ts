import { type ASTVisitor, GraphQLError, type ValidationContext } from 'graphql';
import { LIMITS } from '#src/base/graphql/limits.ts';

/** Refuses documents with more than `LIMITS.aliases` aliased fields: a way to ask for one thing many times. */
export function aliasRule(context: ValidationContext): ASTVisitor {
  let aliases = 0;
  return {
    Field(node) {
      if (node.alias) aliases++;
    },
    Document: {
      leave(node) {
        if (aliases > LIMITS.aliases) {
          const message = `the document has ${aliases} aliased fields; at most ${LIMITS.aliases} are allowed`;
          context.reportError(new GraphQLError(message, { nodes: node, extensions: { code: 'BAD_INPUT' } }));
        }
      },
    },
  };
}
