import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/integration/support/temporaryFolder.ts';
import { READERS, readAll, wandbFile } from './readSources.ts';

/** A member of a message of W&B's protocol (wandb/proto/wandb_internal.proto): its number, then bytes. */
const member = (field: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const tag = (field << 3) | 2;
  const head = tag < 128 ? [tag] : [(tag & 127) | 128, tag >> 7];
  return Buffer.concat([Buffer.from([...head, content.length]), content]);
};
const text = (value: string) => Buffer.from(value);
const item = (key: string, value: unknown) => member(1, member(1, text(key)), member(16, text(JSON.stringify(value))));
const history = (step: number, values: Record<string, unknown>) =>
  member(2, ...Object.entries(values).map(([key, value]) => item(key, value)), member(2, Buffer.from([8, step])));
const summary = (values: Record<string, unknown>) =>
  member(3, ...Object.entries(values).map(([key, value]) => item(key, value)));

it('a text that a summary of W&B puts over one that was logged stands after it, one that is the same stays once', async () => {
  const folder = join(temporaryFolder(), 'offline-run-20260101_000000-abcd1234');
  mkdirSync(folder, { recursive: true });
  const records = [
    history(0, { phase: 'warm-up', same: 'a', loss: 1 }),
    history(1, { phase: 'training', loss: 0.5 }),
    summary({ phase: 'done', same: 'a', alone: 'x', loss: 0.5 }),
  ];
  writeFileSync(join(folder, 'run-abcd1234.wandb'), wandbFile(records));
  const [run] = await readAll(READERS.wandb!(folder));
  const texts = run!.items.flatMap((one) =>
    one.type === 'media' ? [[one.media.name, one.media.step, one.media.metadata]] : [],
  );
  expect(texts).toEqual([
    ['phase', 0, { text: 'warm-up' }],
    ['same', 0, { text: 'a' }],
    ['phase', 1, { text: 'training' }],
    ['phase', 2, { text: 'done' }],
    ['alone', 1, { text: 'x' }],
  ]);
  expect(run!.points.loss?.map(([step, value]) => [step, value])).toEqual([
    [0, 1],
    [1, 0.5],
  ]);
});
