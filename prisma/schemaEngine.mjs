import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

// Prisma's schema engine as WebAssembly: it needs no downloaded binary, but its API is private, so it serves for authoring
// migrations and for the drift check alone. Warren itself applies migrations by src/base/platform/postgres/migrations.ts.

const folder = dirname(fileURLToPath(import.meta.url));

let loaded = false;

/** Once: the bindings keep one instance. */
function loadEngine() {
  if (loaded) return;
  loaded = true;
  const path = join(
    dirname(createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm')),
    'schema_engine_bg.wasm',
  );
  const module = new WebAssembly.Module(readFileSync(path));
  const instance = new WebAssembly.Instance(module, { './schema_engine_bg.js': bindings });
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message: (message) => console.error(message) };
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
}

const CHAR_OID = 18;
const TEXT_OID = 25;

/**
 * Prisma's adapter as the engine needs it. The engine reads the one-byte type `"char"` of the system catalogs, for which
 * the adapter has no case. And the adapter's own shadow database is the main one when the server is given by a connection
 * string, and is never dropped: here it is the scratch database at `shadowUrl`.
 */
class EngineAdapter extends PrismaPg {
  constructor(url, shadowUrl) {
    super({ connectionString: url });
    this.shadowUrl = shadowUrl;
    this.opened = [];
  }

  async connect() {
    return this.#prepare(await super.connect());
  }

  async connectToShadowDb() {
    return this.#prepare(await new PrismaPg({ connectionString: this.shadowUrl }).connect());
  }

  #prepare(adapter) {
    const pool = adapter.underlyingDriver();
    this.opened.push(pool);
    const charColumns = new WeakMap();
    const query = pool.query.bind(pool);
    pool.query = async (...parameters) => {
      const result = await query(...parameters);
      const columns = (result.fields ?? []).filter((field) => field.dataTypeID === CHAR_OID);
      charColumns.set(
        result.rows,
        columns.map((field) => result.fields.indexOf(field)),
      );
      for (const field of columns) field.dataTypeID = TEXT_OID;
      return result;
    };
    // the adapter's own cuts a script at every semicolon, those inside of functions too
    adapter.executeScript = async (script) => {
      await query(script);
    };
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (request) => {
      const result = await queryRaw(request);
      for (const column of charColumns.get(result.rows) ?? []) result.columnTypes[column] = ColumnTypeEnum.Character;
      return result;
    };
    return adapter;
  }
}

/** The migrations of this folder, in order, as `{ name, sql }`. */
export function readMigrations() {
  return readdirSync(join(folder, 'migrations'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => ({ name, sql: readFileSync(join(folder, 'migrations', name, 'migration.sql'), 'utf8') }));
}

/**
 * The SQL that turns what `migrations` make into what `schema` says; empty when there is no difference.
 * @param url a server on which a scratch database may be created; it is dropped again.
 */
export async function schemaDifference(
  url,
  { migrations = readMigrations(), schema = readFileSync(join(folder, 'schema.prisma'), 'utf8') } = {},
) {
  loadEngine();
  const scratch = `warren_schema_${randomUUID()}`;
  const scratchUrl = new URL(url);
  scratchUrl.pathname = scratch;
  const administrator = new pg.Client({ connectionString: url });
  await administrator.connect();
  await administrator.query(`CREATE DATABASE "${scratch}" TEMPLATE template0`);
  const adapter = new EngineAdapter(url, scratchUrl.href);
  try {
    const factory = bindMigrationAwareSqlAdapterFactory(adapter);
    const engine = await bindings.SchemaEngine.new({ datamodels: [['schema.prisma', schema]] }, () => {}, factory);
    const result = await engine.diff(differenceRequest(migrations, schema));
    return result.exitCode === 0 ? '' : (result.stdout ?? '').trim();
  } finally {
    await Promise.all(adapter.opened.map((pool) => (pool.ended ? undefined : pool.end())));
    await administrator.query(`DROP DATABASE "${scratch}" WITH (FORCE)`);
    await administrator.end();
  }
}

function differenceRequest(migrations, schema) {
  return {
    from: {
      tag: 'migrations',
      baseDir: join(folder, 'migrations'),
      lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
      shadowDbInitScript: '',
      migrationDirectories: migrations.map(({ name, sql }) => ({
        path: name,
        migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
      })),
    },
    to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema }] },
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  };
}
