import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { datasetSelectionSchema } from '#src/catalog/datasetSelection.ts';
import { fieldsOfSchema } from '#web/lib/schemaField.ts';

const fieldsOf = (schema: z.ZodType) => fieldsOfSchema(z.toJSONSchema(schema, { io: 'input' }), 'parameters.');

describe('fields of a JSON Schema', () => {
  test('the dataset selection becomes a form', () => {
    const fields = fieldsOfSchema(z.toJSONSchema(datasetSelectionSchema, { io: 'input' }), 'dataset.');
    const byPath = new Map(fields.map((field) => [field.path, field]));
    expect(byPath.get('dataset.name')?.control.type).toBe('text');
    expect(byPath.get('dataset.core')?.control).toMatchObject({
      type: 'number',
      integer: true,
      minimum: 0,
      maximum: 1000,
    });
    expect(byPath.get('dataset.core')?.defaultValue).toBe(0);
    expect(byPath.get('dataset.maximumUsers')).toMatchObject({
      nullable: true,
      defaultValue: null,
      title: 'Maximum users',
    });
    expect(byPath.get('dataset.maximumUsers')?.control).toMatchObject({ type: 'number', minimum: 1, maximum: null });
    expect(byPath.get('dataset.split')?.control).toEqual({
      type: 'choice',
      options: ['leave-one-out', 'ratio-by-time', 'global-time', 'random-by-item', 'random-by-user', 'given'],
    });
    expect(byPath.get('dataset.core')?.description).toMatch(/interactions/);
  });

  test('lists, switches, open ranges and nested groups', () => {
    const [cutoffs, exact, rate, group] = fieldsOf(
      z.object({
        cutoffs: z.array(z.int().min(1)).default([5, 10]),
        exact: z.boolean().default(true),
        rate: z.number().gt(0).lt(1),
        optimizer: z.object({ name: z.enum(['adam', 'sgd']).default('adam') }),
      }),
    );
    expect(cutoffs?.control).toMatchObject({ type: 'numberList', integer: true, minimum: 1 });
    expect(cutoffs?.defaultValue).toEqual([5, 10]);
    expect(exact?.control.type).toBe('boolean');
    expect(rate?.control).toMatchObject({ exclusiveMinimum: 0, exclusiveMaximum: 1 });
    expect(group?.control).toMatchObject({ type: 'group', fields: [{ path: 'parameters.optimizer.name' }] });
  });

  test('objects told apart by a constant become variants', () => {
    const [field] = fieldsOf(
      z.object({
        init: z.discriminatedUnion('type', [
          z.object({ type: z.literal('normal'), deviation: z.number().default(0.1) }),
          z.object({ type: z.literal('zeros') }),
        ]),
      }),
    );
    expect(field?.control).toMatchObject({
      type: 'variants',
      discriminator: 'type',
      variants: [
        { value: 'normal', fields: [{ path: 'parameters.init.deviation' }] },
        { value: 'zeros', fields: [] },
      ],
    });
  });

  test('what a form cannot draw is edited as JSON', () => {
    const [field] = fieldsOf(z.object({ anything: z.record(z.string(), z.number()) }));
    expect(field?.control.type).toBe('json');
  });

  test('a schema that is none gives no fields', () => {
    expect(fieldsOfSchema(null)).toEqual([]);
    expect(fieldsOfSchema('text')).toEqual([]);
  });
});
