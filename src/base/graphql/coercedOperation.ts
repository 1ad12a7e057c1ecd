import {
  type DocumentNode,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  GraphQLScalarType,
  type GraphQLSchema,
  Kind,
} from 'graphql';

/** An operation as its caller sent it, but for its document, which has been checked against the schema. */
export interface GivenOperation {
  schema: GraphQLSchema;
  document: DocumentNode;
  variables: Record<string, unknown>;
  operationName: string | undefined;
}

/**
 * An operation whose variables have been coerced: in its document they are of a scalar that takes any value as it is, so that
 * whoever looks at the operation or executes it does not go through what may be thousands of values again.
 */
export interface CoercedOperation {
  /** Knows that scalar, beside all types of the schema that callers see. */
  schema: GraphQLSchema;
  document: DocumentNode;
  /** The variables, with their defaults. */
  values: Record<string, unknown>;
  operationName: string | undefined;
}

/** More would help nobody, and each takes time. */
const MOST_ERRORS = 5;

const coercedValue = new GraphQLScalarType({ name: 'CoercedValue' });

/** @throws GraphQLError BAD_INPUT for variables that are not of their types. */
export function coerceOperation({ schema, document, variables, operationName }: GivenOperation): CoercedOperation {
  const definitions = getOperationAST(document, operationName)?.variableDefinitions ?? [];
  const { errors, coerced } = getVariableValues(schema, definitions, variables, { maxErrors: MOST_ERRORS });
  const [first] = errors ?? [];
  if (first !== undefined) {
    throw new GraphQLError(first.message, {
      nodes: first.nodes ?? null,
      extensions: { code: 'BAD_INPUT', http: { status: 400 } },
    });
  }
  return {
    ...{ schema: withCoercedValue(schema), document: ofCoercedValues(document) },
    ...{ values: coerced ?? {}, operationName },
  };
}

const schemas = new WeakMap<GraphQLSchema, GraphQLSchema>();

function withCoercedValue(schema: GraphQLSchema): GraphQLSchema {
  const known = schemas.get(schema);
  if (known !== undefined) return known;
  const getType: GraphQLSchema['getType'] = (name) =>
    name === coercedValue.name ? coercedValue : schema.getType(name);
  const extended: GraphQLSchema = Object.create(schema, { getType: { value: getType } });
  schemas.set(schema, extended);
  return extended;
}

const documents = new WeakMap<DocumentNode, DocumentNode>();

/** The document with variables of coerced values, which are never left out for a default; the same one each time. */
function ofCoercedValues(document: DocumentNode): DocumentNode {
  const known = documents.get(document);
  if (known !== undefined) return known;
  const type = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: coercedValue.name } } as const;
  const changed: DocumentNode = {
    ...document,
    definitions: document.definitions.map((definition) => {
      if (definition.kind !== Kind.OPERATION_DEFINITION) return definition;
      const variableDefinitions = (definition.variableDefinitions ?? []).map(
        ({ defaultValue: _, directives: __, ...variable }) => ({ ...variable, type }),
      );
      return { ...definition, variableDefinitions };
    }),
  };
  documents.set(document, changed);
  return changed;
}
