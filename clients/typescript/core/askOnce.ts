import { TypedDocumentString } from '../generated/api.ts';
import { Refused, Unreachable } from './failures.ts';
import type { Transport } from './transport.ts';

/** Before each try after the first. */
const WAITS_MS = [500, 1_000, 2_000];
/** What a server says whose calls have no keys yet. */
const KNOWS_NO_KEY = /Unknown argument "key"|Field "key" is not defined/;

/**
 * The answer to a call with a `key`, by which the server makes once what it asks for: it is sent again where the answer is lost. A
 * server of an earlier version is asked without the key, and once.
 * @throws Unreachable or Refused
 */
export async function askOnce<Answer, Variables extends Record<string, unknown>>(
  transport: Pick<Transport, 'ask'>,
  document: TypedDocumentString<Answer, Variables>,
  variables: Variables,
): Promise<Answer> {
  try {
    return await askAgain(() => transport.ask(document, variables));
  } catch (error) {
    // it was refused as a whole, before anything was made
    if (!(error instanceof Refused) || !KNOWS_NO_KEY.test(error.message)) throw error;
    const text = document
      .toString()
      .replace(/, \$key: String!?/, '')
      .replace(', key: $key', '');
    return await transport.ask(new TypedDocumentString<Answer, unknown>(text), withoutKey(variables));
  }
}

function withoutKey({ key: _, input, ...others }: Record<string, unknown>): Record<string, unknown> {
  if (typeof input !== 'object' || input === null) return others;
  return { ...others, input: Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'key')) };
}

async function askAgain<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (const [tried, waitMs] of WAITS_MS.entries()) {
    try {
      return await ask();
    } catch (error) {
      // no server was there from the start
      const isVacant = tried === 0 && error instanceof Unreachable && /ECONNREFUSED|ENOTFOUND/.test(error.message);
      if (!(error instanceof Unreachable) || isVacant) throw error;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  return await ask();
}
