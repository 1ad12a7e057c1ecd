/** A number that stands in JSON and would be another one once it is read. */
export interface ChangedNumber {
  /** Where it stands: `variables.input.parameters.width`. */
  path: string;
  /** As it is written. */
  text: string;
}

/** One that is too large even without its place: only then is the text gone through. */
const SUSPICIOUS = /\d{16}|[eE]\+?\d{3}/;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[{}[\],:]/g;

const EXACT = 2n ** 53n;
/** Digits that are within it whatever they are. */
const LONGEST_SAFE = 15;

function isBeyond(whole: bigint): boolean {
  return whole > EXACT || whole < -EXACT;
}

/** What is wrong with a number as it is written; null where a double holds it, rounded as doubles are. */
export function whyChanged(text: string): string | null {
  if (!Number.isFinite(Number(text))) return 'is larger than any number that can be kept';
  if (/^-?\d+$/.test(text) && text.length > LONGEST_SAFE && isBeyond(BigInt(text))) {
    return 'is an integer beyond 2^53, which would be rounded: write it as a text, or with a decimal point';
  }
  return null;
}

/**
 * The first number of a JSON text that would not be kept, below a member of one of these names; null where there is none, or the text is
 * no JSON.
 */
export function findChangedNumber(json: string, names: ReadonlySet<string>): ChangedNumber | null {
  if (![...names].some((name) => json.includes(`"${name}"`)) || !SUSPICIOUS.test(json)) return null;
  const path: (string | number)[] = [];
  let key: string | null = null;
  for (const [token] of json.matchAll(TOKEN)) {
    const last = path.at(-1);
    if (token === '{') path.push('');
    else if (token === '[') path.push(0);
    else if (token === '}' || token === ']') path.pop();
    else if (token === ',') {
      if (typeof last === 'number') path[path.length - 1] = last + 1;
    } else if (token === ':') {
      if (typeof last === 'string' && key !== null) path[path.length - 1] = key;
    } else if (token.startsWith('"')) {
      key = keyOf(token);
    } else if (path.some((part) => typeof part === 'string' && names.has(part)) && whyChanged(token) !== null) {
      return { path: path.join('.'), text: token };
    }
  }
  return null;
}

function keyOf(token: string): string {
  try {
    const value: unknown = JSON.parse(token);
    return typeof value === 'string' ? value : token;
  } catch {
    return token;
  }
}
