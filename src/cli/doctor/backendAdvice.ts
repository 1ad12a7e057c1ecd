import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { BACKEND_FIGURES, type BackendFigures, backendFiguresSchema } from '#src/base/contracts/backendFigures.ts';
import type { Finding } from '#src/base/terminal/finding.ts';

/** A backend is recommended over the one in use where its epochs take at most this part of the other's. */
const CLEARLY = 0.8;
const SUBJECT = 'Epochs';

/**
 * What the epochs of `bench -- backends --save` say of the backend in use, where they were measured on this processor: for which
 * kinds another one is clearly faster.
 */
export function backendAdvice(home: string, used: string, processor = cpus()[0]?.model.trim() ?? ''): Finding[] {
  const file = join(home, BACKEND_FIGURES);
  if (!existsSync(file)) return [];
  const figures = readFigures(file);
  if (figures === null) {
    return [{ subject: SUBJECT, level: 'note', found: `${file} is damaged`, advice: 'remove it, or measure again' }];
  }
  if (figures.processor !== processor) return [];
  const compared = Object.entries(figures.seconds).flatMap(([kind, seconds]) => compare(kind, seconds, used));
  if (compared.length === 0) return [];
  const found = `measured on ${figures.measuredAt.slice(0, 10)}, beside ${used}: ${compared.map(({ words }) => words).join('; ')}`;
  const faster = compared.flatMap(({ kind, better }) => (better === null ? [] : [{ kind, better }]));
  if (faster.length === 0) return [{ subject: SUBJECT, level: 'ok', found }];
  const advice = [...new Set(faster.map(({ better }) => better))].map((backend) => {
    const kinds = faster.filter(({ better }) => better === backend).map(({ kind }) => kind);
    return `WARREN_BACKEND=${backend} for ${kinds.join(', ')}`;
  });
  return [{ subject: SUBJECT, level: 'note', found, advice: advice.join('; ') }];
}

/** Ratios of one kind to the backend in use, and the best where it is clearly faster. */
function compare(
  kind: string,
  seconds: Readonly<Record<string, number>>,
  used: string,
): { kind: string; words: string; better: string | null }[] {
  const own = seconds[used];
  const others = Object.entries(seconds).filter(([backend]) => backend !== used);
  if (own === undefined || others.length === 0) return [];
  const words = `${kind} ${others.map(([backend, value]) => `${backend} ${(value / own).toFixed(2)}×`).join(', ')}`;
  const [best, least] = others.reduce((one, other) => (other[1] < one[1] ? other : one));
  return [{ kind, words, better: least <= CLEARLY * own ? best : null }];
}

function readFigures(file: string): BackendFigures | null {
  try {
    return backendFiguresSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data ?? null;
  } catch {
    return null;
  }
}
