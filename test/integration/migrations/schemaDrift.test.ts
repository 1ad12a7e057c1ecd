import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readMigrations, schemaDifference } from '../../../prisma/schemaEngine.mjs';
import { postgresForTests } from '../support/postgresForTests.ts';

const postgres = await postgresForTests();
const schemaPath = new URL('../../../prisma/schema.prisma', import.meta.url);

describe('migrations and schema.prisma', () => {
  it('agree: the migrations make exactly the schema', async () => {
    expect(readMigrations().length).toBeGreaterThan(0);
    expect(await schemaDifference(postgres.url)).toBe('');
  });

  it('would be seen to differ: a column without its migration is told', async () => {
    const schema = readFileSync(schemaPath, 'utf8').replace('model Project {', 'model Project {\n  colour String?');
    expect(await schemaDifference(postgres.url, { schema })).toContain('ADD COLUMN     "colour" TEXT');
  });
});
