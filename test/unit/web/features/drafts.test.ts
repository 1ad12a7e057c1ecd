import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readDrafts } from '#web/features/newRun/drafts.ts';
import { fieldsOfSchema } from '#web/lib/schemaField.ts';

const schema = z.object({
  sigmaW: z.number().gt(0).default(1),
  neighbours: z.int().min(1).nullable().default(null),
  optimizer: z.object({ learningRate: z.number().default(0.001) }),
  init: z.discriminatedUnion('type', [
    z.object({ type: z.literal('normal'), deviation: z.number().default(0.1) }),
    z.object({ type: z.literal('uniform'), limit: z.number().default(1) }),
  ]),
});
const fields = fieldsOfSchema(z.toJSONSchema(schema, { io: 'input' }), 'parameters.');
const base = { parameters: { sigmaW: 1.2, init: { type: 'normal', deviation: 0.3 } } };

describe('what a form sends', () => {
  test('nothing where nothing was changed', () => {
    expect(readDrafts(fields, {}, base)).toEqual({ values: {}, errors: {} });
  });

  test('only the changed fields, nested ones in their places', () => {
    const drafts = { 'parameters.sigmaW': '2', 'parameters.optimizer.learningRate': '1e-4' };
    expect(readDrafts(fields, drafts, base).values).toEqual({
      parameters: { sigmaW: 2, optimizer: { learningRate: 0.0001 } },
    });
  });

  test('none for a nullable field', () => {
    expect(readDrafts(fields, { 'parameters.neighbours': null }, base).values).toEqual({
      parameters: { neighbours: null },
    });
  });

  test('errors at their paths', () => {
    const { errors } = readDrafts(fields, { 'parameters.sigmaW': '0', 'parameters.neighbours': 'x' }, base);
    expect(Object.keys(errors)).toEqual(['parameters.sigmaW', 'parameters.neighbours']);
  });

  test('a changed variant is sent whole', () => {
    expect(
      readDrafts(fields, { 'parameters.init.type': 'uniform', 'parameters.init.limit': '2' }, base).values,
    ).toEqual({
      parameters: { init: { type: 'uniform', limit: 2 } },
    });
  });
});
