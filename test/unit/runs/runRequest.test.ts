import { describe, expect, it } from 'vitest';
import { parseRunRequest, type RunFlags } from '#src/runs/command/runRequest.ts';

const flags = (given: RunFlags): RunFlags => given;

describe('parseRunRequest', () => {
  it('asks for seed 1 unless told otherwise', () => {
    expect(parseRunRequest('markov', flags({})).input).toEqual({ kind: 'markov', seeds: [1], parameters: {} });
    expect(parseRunRequest('markov', flags({ seed: 7 })).input.seeds).toEqual([7]);
    expect(parseRunRequest('markov', flags({ seeds: [1, 2] })).input.seeds).toEqual([1, 2]);
  });

  it('keeps the preprocessing of the dataset apart from the parameters', () => {
    const { input } = parseRunRequest('markov', flags({ dataset: 'ml-1m', set: ['dataset.core=5', 'x.y=1'] }));
    expect(input.dataset).toEqual({ core: 5, name: 'ml-1m' });
    expect(input.parameters).toEqual({ x: { y: 1 } });
  });

  it('reads inputs as name=run:artifact', () => {
    const { input } = parseRunRequest('x', flags({ input: ['embeddings=#12:out/e.npy'] }));
    expect(input.inputs).toEqual([{ name: 'embeddings', runId: '12', artifactName: 'out/e.npy' }]);
    expect(() => parseRunRequest('x', flags({ input: ['embeddings=12'] }))).toThrow(/name=RUN:ARTIFACT/);
  });

  it('reads the inputs of a local run as name=file', () => {
    const { input, files } = parseRunRequest('x', flags({ local: true, input: ['embeddings=./a=b:c.npy'] }));
    expect(files).toEqual({ embeddings: './a=b:c.npy' });
    expect(input.inputs).toBeUndefined();
    expect(() => parseRunRequest('x', flags({ local: true, input: ['e.npy'] }))).toThrow(/name=file/);
  });

  it('refuses options that cannot go together', () => {
    expect(() => parseRunRequest('x', flags({ seed: 1, seeds: [2] }))).toThrow(/not both/);
    expect(() => parseRunRequest('x', flags({ local: true, tag: ['a'] }))).toThrow(/--tag has no meaning with --local/);
  });
});
