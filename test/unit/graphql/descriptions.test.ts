import { isEnumType, isInputObjectType, isInterfaceType, isObjectType, isSpecifiedScalarType } from 'graphql';
import { expect, test } from 'vitest';
import { buildWarrenSchema } from '#src/graphql/warrenSchema.ts';

interface Described {
  place: string;
  description: string | null | undefined;
}

/** Everything of the schema that a reader may ask about. Root types are what GraphQL says that they are. */
function describedParts(): Described[] {
  const schema = buildWarrenSchema();
  const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
  const types = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__'));
  return types.flatMap((type): Described[] => {
    const own = isSpecifiedScalarType(type) ? [] : [{ place: type.name, description: type.description }];
    const inside = (name: string) => `${type.name}.${name}`;
    if (isEnumType(type)) {
      const values = type.getValues().map(({ name, description }) => ({ place: inside(name), description }));
      return [...own, ...values];
    }
    if (isInputObjectType(type)) {
      const fields = Object.values(type.getFields());
      return [...own, ...fields.map(({ name, description }) => ({ place: inside(name), description }))];
    }
    if (!isObjectType(type) && !isInterfaceType(type)) return own;
    const fields = Object.values(type.getFields()).flatMap(({ name, description, args }): Described[] => [
      { place: inside(name), description },
      ...args.map((argument) => ({
        place: `${inside(name)}(${argument.name})`,
        description: argument.description,
      })),
    ]);
    return isObjectType(type) && roots.has(type) ? fields : [...own, ...fields];
  });
}

test('every type, field, argument and value of an enum says what it is', () => {
  const parts = describedParts();
  expect(parts.length).toBeGreaterThan(300);
  expect(parts.filter(({ description }) => !description?.trim()).map(({ place }) => place)).toEqual([]);
});

test('descriptions are sentences', () => {
  const wrong = describedParts().filter(
    ({ description }) => description && !/^[^a-z].*[.`]$/s.test(description.trim()),
  );
  expect(wrong.map(({ place, description }) => `${place}: ${description}`)).toEqual([]);
});
