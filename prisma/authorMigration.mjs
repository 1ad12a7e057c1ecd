// Writes the next migration: the SQL that takes the database from the migrations so far to what schema.prisma says.
//   DATABASE_URL=postgresql://… node prisma/authorMigration.mjs add_something
// The server at DATABASE_URL lends a shadow database, dropped afterwards; its own databases are not touched.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readMigrations, schemaDifference } from './schemaEngine.mjs';

const name = process.argv[2] ?? '';
const url = process.env.DATABASE_URL;
if (!/^[a-z][a-z0-9_]*$/.test(name) || url === undefined) {
  console.error('usage: DATABASE_URL=postgresql://… node prisma/authorMigration.mjs <name_in_snake_case>');
  process.exit(2);
}
const migrations = readMigrations();
const sql = await schemaDifference(url, { migrations });
if (sql === '') {
  console.log('schema.prisma says what the migrations make: nothing to write');
} else {
  const folder = `${String(migrations.length + 1).padStart(4, '0')}_${name}`;
  const path = join(dirname(fileURLToPath(import.meta.url)), 'migrations', folder, 'migration.sql');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${sql}\n`);
  console.log(`wrote ${path}: read it before you commit it`);
}
