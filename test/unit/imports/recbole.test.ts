import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPickle } from '#src/imports/pickle.ts';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';
import { READERS, readAll, SAMPLES, unpacked } from './readSources.ts';

const folder = temporaryFolder();

it('gives runs of RecBole’s logs', async () => {
  // after the format strings of RecBole 1.2.1, colors and all
  const stamp = (second: number) => `Mon 23 Nov 2026 10:20:${second}  INFO  `;
  const log = [
    `${stamp(10)}\x1b[1;35mTraining Hyper Parameters:\n\x1b[0m\x1b[1;36mepochs\x1b[0m =\x1b[1;33m 2\x1b[0m`,
    '\x1b[1;36mseed\x1b[0m =\x1b[1;33m 2020\x1b[0m',
    `${stamp(11)}\x1b[1;32mepoch 0 training\x1b[0m [\x1b[1;34mtime\x1b[0m: 1.25s, \x1b[1;34mtrain loss\x1b[0m: 27.5]`,
    `${stamp(12)}\x1b[1;32mepoch 0 evaluating\x1b[0m [\x1b[1;34mtime\x1b[0m: 0.05s, \x1b[1;34mvalid_score\x1b[0m: 0.021]`,
    `${stamp(13)}\x1b[1;34mvalid result\x1b[0m: \nrecall@10 : 0.0185    mrr@10 : 0.021`,
    `${stamp(14)}\x1b[1;33mtest result\x1b[0m: OrderedDict([('recall@10', np.float64(0.02)), ('mrr@10', 1e-05)])`,
  ];
  const path = join(folder, 'BPR-ml-100k-Nov-23-2026_10-20-10-1a2b3c.log');
  writeFileSync(path, `${log.join('\n')}\n`);
  const [run] = await readAll(READERS.recbole!(path));
  const at = (second: number) => Date.UTC(2026, 10, 23, 10, 20, second);
  expect(run!.points).toEqual({
    ...{ 'train/seconds': [[0, 1.25, at(11)]], 'train/loss': [[0, 27.5, at(11)]] },
    ...{ 'valid/seconds': [[0, 0.05, at(12)]], 'valid/score': [[0, 0.021, at(12)]] },
    ...{ 'valid/recall@10': [[0, 0.0185, at(13)]], 'valid/mrr@10': [[0, 0.021, at(13)]] },
    ...{ 'test/recall@10': [[0, 0.02, at(14)]], 'test/mrr@10': [[0, 1e-5, at(14)]] },
  });
  expect(run!.facts).toMatchObject({
    name: 'BPR',
    datasetName: 'ml-100k',
    seed: 2020,
    state: 'SUCCEEDED',
    endedMs: at(14),
  });
  expect(run!.facts.parameters).toEqual({ model: 'BPR', epochs: 2 });
});

describe('RecBole’s checkpoints', () => {
  const name = 'BPR-Nov-24-2026_04-53-51';
  const checkpoint = join(SAMPLES, 'recbole', `${name}.pth`);
  const at = Date.UTC(2026, 10, 24, 4, 53, 51);
  // as make.py set and printed it
  const known = { model: 'BPR', learning_rate: 0.01, embedding_size: 4, topk: [5], device: 'cpu' };
  const split = { split: { RS: [0.8, 0.1, 0.1] }, group_by: 'user', order: 'RO' };

  it('give configuration, best score, and themselves', async () => {
    const [run] = await readAll(READERS.recbole!(checkpoint));
    expect(run!.facts).toMatchObject({ name: 'BPR', datasetName: 'tiny', seed: 7, startedMs: at });
    expect(run!.facts.parameters).toMatchObject({ ...known, eval_args: split, valid_metric: 'MRR@5' });
    expect(run!.points).toEqual({ 'best_valid/mrr@5': [[2, 0.1204, at]] });
    expect(run!.items).toEqual([{ type: 'file', name: `saved/${name}.pth`, path: checkpoint }]);
    expect(run!.warnings).toEqual([]);
    const before = readFileSync(checkpoint);
    const torn = join(folder, `${name}.pth`);
    writeFileSync(torn, before.subarray(0, 5_000));
    const [early] = await readAll(READERS.recbole!(torn));
    expect([early!.id, early!.facts, early!.points]).toEqual([run!.id, run!.facts, {}]);
    expect(early!.warnings).toEqual([`${torn}: it is torn behind its configuration: all before that is imported`]);
    writeFileSync(torn, before.subarray(0, 2_000));
    await expect(readAll(READERS.recbole!(torn))).rejects.toThrow('torn before its configuration');
  });

  it('belong to the run whose log names them', async () => {
    const home = join(folder, 'trained');
    for (const inside of ['log', 'saved']) mkdirSync(join(home, inside), { recursive: true });
    const log = unpacked('recbole/BPR-tiny-Nov-24-2026_04-53-51-0cc127.log.gz', join(home, 'log'));
    cpSync(checkpoint, join(home, 'saved', `${name}.pth`));
    cpSync(checkpoint, join(home, 'saved', 'another.pth'));
    const [trained, another, ...rest] = await readAll(READERS.recbole!(home));
    expect(rest).toEqual([]);
    const files = (run: typeof trained) => run!.items.flatMap((item) => (item.type === 'file' ? [item.name] : []));
    expect([trained!.label, files(trained)]).toEqual([
      log.replace(/.*\//, '').replace('.log', ''),
      [`saved/${name}.pth`],
    ]);
    expect([another!.label, files(another)]).toEqual(['another', ['saved/another.pth']]);
    const values = trained!.points['valid/mrr@5']!.map(([step, value]) => [step, value]);
    expect(values).toEqual([
      [0, 0.1125],
      [1, 0.1129],
      [2, 0.1204],
    ]);
    expect(trained!.points['test/mrr@5']!.map(([, value]) => value)).toEqual([0.1125]);
    expect(trained!.facts).toMatchObject({ state: 'SUCCEEDED', datasetName: 'tiny', seed: 7 });
  });

  it('are read and never executed', () => {
    // the opcodes of `os.system('false')`: Lib/pickletools.py
    const bytes = Buffer.from('\x80\x02cos\nsystem\nX\x05\0\0\0false\x85R.', 'latin1');
    expect(readPickle(bytes).value).toMatchObject({ name: 'os.system', given: ['false'] });
  });
});
