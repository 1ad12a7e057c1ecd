// A program that starts the embedded PostgreSQL of a home, prints its address, and waits to be killed.
import { startEmbeddedPostgres } from '#src/base/platform/embedded/embeddedPostgres.ts';
import { createLogger } from '#src/base/platform/logger.ts';

const home = process.argv[2] ?? '';
const server = await startEmbeddedPostgres({ home, port: 0, durable: false, log: createLogger('test', 'error') });
console.log(server.url);
setInterval(() => {}, 60_000);
