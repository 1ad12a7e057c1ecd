import { slowness } from './slowness.ts';

/** What no answer may show: a stack, SQL, a library. */
const INSIDES =
  /node_modules|\n\s+at |prisma|\bSELECT \w|INSERT INTO|SQLSTATE|violates|invalid input syntax|\bpg_\w|internal error|INTERNAL/i;
const LONGEST = 3_000;
/** For an answer, of ten that are asked for at once, on a machine that is not busy. */
const PATIENCE_MS = 5_000;
/** How long it is believed how busy the machine is. */
const MEASURED_MS = 10_000;
/** Codes that tell of the server's own trouble. */
const OWN_CODES = ['INTERNAL', 'INTERNAL_ERROR', 'INTERNAL_SERVER_ERROR', 'UNAVAILABLE', 'TIMED_OUT'];

export interface HeardAnswer {
  /** What was asked. */
  what: string;
  status: number;
  text: string;
  milliseconds: number;
}

let busy = { atMs: Number.NEGATIVE_INFINITY, factor: 1 };

function patienceMs(): number {
  const now = performance.now();
  if (now - busy.atMs > MEASURED_MS) busy = { atMs: now, factor: slowness() };
  return PATIENCE_MS * busy.factor;
}

/** Whether the database had no connection free, as on a machine that is too busy: what was asked is to be asked again. */
export function isToBeAskedAgain({ status, text }: HeardAnswer): boolean {
  return status === 503 || text.includes('"code":"UNAVAILABLE"');
}

/** What is wrong with the answer to a wrong request; null where it says in time what is wrong, or did what was asked. */
export function faultOf({ what, status, text, milliseconds }: HeardAnswer): string | null {
  const shown = `${what}: ${status} ${text.slice(0, 600)}`;
  // MLflow's own status for what a deleted experiment does not allow
  if (status >= 500 && !text.includes('"INVALID_STATE"')) return shown;
  if (milliseconds > PATIENCE_MS && milliseconds > patienceMs()) return `${what}: ${Math.round(milliseconds)} ms`;
  const errors = errorsOf(text);
  if (status >= 400 && errors.length === 0 && text !== '') return `no error in ${shown}`;
  for (const { message, code } of errors) {
    if (code === null || OWN_CODES.includes(code)) return shown;
    if (INSIDES.test(message) || message.length > LONGEST) return shown;
  }
  return null;
}

interface Told {
  message: string;
  code: string | null;
}

/** Errors of an answer of GraphQL, of another address, or of MLflow's protocol. */
function errorsOf(text: string): Told[] {
  let body: { errors?: { message: string; extensions?: { code?: string } }[]; error_code?: string; message?: string };
  try {
    body = JSON.parse(text);
  } catch {
    return [];
  }
  if (body?.error_code !== undefined) return [{ message: body.message ?? '', code: body.error_code }];
  return (body?.errors ?? []).map(({ message, extensions }) => ({ message, code: extensions?.code ?? null }));
}
