import { readFileSync } from 'node:fs';
import { badInput } from '#src/base/contracts/errors.ts';
import { coerceError } from '#src/base/lib/coerceError.ts';

/** Variables that hold a password or are one, for Warren's own programs. */
export const SECRET_VARIABLES: ReadonlySet<string> = new Set([
  'DATABASE_URL',
  'REDIS_URL',
  'WARREN_TOKEN',
  'WARREN_SMTP_URL',
  'WARREN_OIDC_CLIENT_SECRET',
  'PGPASSWORD',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_TRACES_HEADERS',
]);

/** Names the descriptor of the pipe by which a program is given its secrets. */
const PIPE_VARIABLE = 'WARREN_SECRETS_PIPE';
/** The first behind the standard streams and the channel of messages. */
export const SECRETS_DESCRIPTOR = 4;

/**
 * Parts the environment of a program that is to be started: what it may be started with, and what it is to be given by the pipe at
 * `SECRETS_DESCRIPTOR`. The system shows the former to every program of the same user, in `/proc/PID/environ`, as long as it runs.
 */
export function withoutSecrets(environment: NodeJS.ProcessEnv): { open: NodeJS.ProcessEnv; secrets: string } {
  const entries = Object.entries(environment);
  const open = Object.fromEntries(entries.filter(([name]) => !SECRET_VARIABLES.has(name)));
  const secrets = Object.fromEntries(entries.filter(([name]) => SECRET_VARIABLES.has(name)));
  return { open: { ...open, [PIPE_VARIABLE]: String(SECRETS_DESCRIPTOR) }, secrets: JSON.stringify(secrets) };
}

/**
 * Takes the secrets that came by a pipe, and those that lie in files: `DATABASE_URL_FILE=/run/secrets/database` stands for
 * `DATABASE_URL`. What is set while a process runs, the system does not show. To be called before anything reads the environment.
 * @throws WarrenError BAD_INPUT for a file that cannot be read, or a variable that is given twice.
 */
export function takeSecrets(environment: NodeJS.ProcessEnv = process.env): void {
  const pipe = environment[PIPE_VARIABLE];
  if (pipe !== undefined) {
    delete environment[PIPE_VARIABLE];
    const given: unknown = JSON.parse(readFileSync(Number(pipe), 'utf8'));
    for (const [name, value] of Object.entries(Object(given))) {
      if (SECRET_VARIABLES.has(name) && typeof value === 'string') environment[name] = value;
    }
  }
  for (const name of SECRET_VARIABLES) {
    const file = environment[`${name}_FILE`];
    if (file === undefined || file === '') continue;
    if (environment[name] !== undefined && environment[name] !== '') {
      throw badInput(`${name} and ${name}_FILE are both set: one of them says what it is`, `${name}_FILE`);
    }
    delete environment[`${name}_FILE`];
    environment[name] = contentOf(file, `${name}_FILE`);
  }
}

function contentOf(file: string, name: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (thrown) {
    throw badInput(`${name}: ${coerceError(thrown).message}`, name);
  }
  if (text !== '') return text;
  throw badInput(`${name}: ${file} is empty: expected the value in one line`, name);
}
