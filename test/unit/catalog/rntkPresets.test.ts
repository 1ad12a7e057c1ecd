import { expect, test } from 'vitest';
import { presetByName } from '#src/catalog/kinds.ts';
import { rntkRegressionKind } from '#src/catalog/kinds/rntkRegression.ts';
import { resolveConfiguration } from '#src/catalog/resolveConfiguration.ts';

test.each(['4a', '4a-front', '4b', '4c', '4c-front', '4d'])(
  'Figure %s says how often it is repeated, and is there as often as in the paper',
  (panel) => {
    const [short, paper] = ['', '-1000'].map((suffix) => {
      const { name, description } = presetByName(rntkRegressionKind, `rntk/figure-${panel}${suffix}`);
      return { description, ...resolveConfiguration({ kind: 'rntk-regression', preset: name }) };
    });
    expect(short!.description).toMatch(/ten repetitions, where the paper has 1,000/i);
    expect(short!.parameters.repetitions).toBe(10);
    expect(paper!.description).toMatch(/the paper’s 1,000 repetitions/i);
    expect(paper!.parameters).toEqual({ ...short!.parameters, repetitions: 1000 });
    expect(paper!.dataset).toEqual(short!.dataset);
  },
);
