import { describe, expect, it } from 'vitest';
import { metricDirection } from '#src/catalog/metricDirection.ts';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { parseRunFilter } from '#src/base/contracts/runFilter/parse.ts';
import { printRunFilter } from '#src/base/contracts/runFilter/print.ts';
import type { RunFilter } from '#src/base/contracts/runFilter/syntax.ts';
import { type RandomGenerator, randomGenerator } from '#workers/math/random/randomGenerator.ts';
import { pick, randomFilter } from './randomRunFilters.ts';

const SEED = 20_261_121;
const PIECES =
  'kind dataset metric. metric."a" best."x/loss" config. config.a.b env.x tag state created duration and or not in like ilike is null = != <> == < <= > >= ! ( ) , " \' \\ "a" \'b\' "\\"" 1 -1 1e9 nan -2d 2026-11-21 running . .. %'.split(
    ' ',
  );

/** Parses whatever the text is; anything thrown but BAD_INPUT fails the test. */
function parseOrRefuse(text: string): RunFilter | null {
  try {
    return parseRunFilter(text, metricDirection);
  } catch (error) {
    if (error instanceof WarrenError && error.code === 'BAD_INPUT' && error.path === 'filter') return null;
    throw new Error(`${JSON.stringify(text)} (seed ${SEED}): ${String(error)}`);
  }
}

function randomText(random: RandomGenerator): string {
  const length = random.nextInt(12);
  const unicode = () => String.fromCharCode(random.nextInt(random.nextInt(2) === 0 ? 128 : 65_536));
  const piece = () => (random.nextInt(5) === 0 ? unicode() : pick(random, PIECES));
  return Array.from({ length }, piece).join(pick(random, ['', ' ', ' ', '\n']));
}

describe('run filter', () => {
  it('reads what it prints', () => {
    const random = randomGenerator(SEED, 'filters');
    for (let i = 0; i < 1_500; i++) {
      const filter = randomFilter(random, 3);
      const text = printRunFilter(filter);
      expect(parseRunFilter(text, metricDirection), text).toEqual(filter);
    }
  });

  it('refuses any other text with BAD_INPUT and nothing else', () => {
    const random = randomGenerator(SEED, 'texts');
    let read = 0;
    for (let i = 0; i < 20_000; i++) if (parseOrRefuse(randomText(random)) !== null) read += 1;
    expect(read).toBeGreaterThan(10);
  });

  it('survives damage to texts that it reads', () => {
    const random = randomGenerator(SEED, 'damage');
    for (let i = 0; i < 1_500; i++) {
      const text = printRunFilter(randomFilter(random, 2));
      const at = random.nextInt(text.length);
      const damaged = text.slice(0, at) + pick(random, ['', '"', '(', ')', '\\', '.', 'not ']) + text.slice(at + 1);
      const filter = parseOrRefuse(damaged);
      if (filter !== null) expect(parseRunFilter(printRunFilter(filter), metricDirection)).toEqual(filter);
    }
  });
});
