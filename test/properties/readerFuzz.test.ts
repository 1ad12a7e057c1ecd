import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { WarrenError } from '#src/base/contracts/errors.ts';
import { coreFilter } from '#workers/data/prepare/coreFilter.ts';
import { groupByUser } from '#workers/data/prepare/groupByUser.ts';
import type { DatasetFormat } from '#src/catalog/datasetInfo.ts';
import { readInteractions } from '#workers/data/read/readInteractions.ts';
import { readItemTable } from '#workers/data/read/readItemTable.ts';
import { readLabelledText } from '#workers/data/read/readLabelledText.ts';
import type { ReadOptions } from '#workers/data/read/readOptions.ts';
import { readPrices } from '#workers/data/read/readPrices.ts';
import { readSeries } from '#workers/data/read/readSeries.ts';
import { type RandomGenerator, randomGenerator } from '#workers/math/random/randomGenerator.ts';

const SEED = 20_240_311;
const MUTATIONS = 2_500;
/** Packing and unpacking takes most of the time. */
const GZIPPED_MUTATIONS = 1_000;
const NAME = 'damaged.txt';

interface FuzzedReader {
  name: string;
  valid: string;
  read: (bytes: Uint8Array, lenient: boolean) => Promise<void>;
  gzipped?: boolean;
}

function interactions(format: DatasetFormat, valid: string, gzipped = false): FuzzedReader {
  return {
    name: gzipped ? `${format}, gzipped` : format,
    valid,
    gzipped,
    async read(bytes, lenient) {
      const options: ReadOptions = { bytes, lenient };
      const read = await readInteractions({ name: 'x', path: NAME, format }, options);
      check(read.users.length === read.items.length, 'users and items');
      check(read.times === null || read.times.length === read.users.length, 'times');
      check(!read.ratings || read.ratings.length === read.users.length, 'ratings');
      const rows = groupByUser(read, coreFilter(read, 1));
      check(rows.items.length === read.items.length, 'rows');
      check(!read.userIds.some((id) => id.trim() === '' || /^(nan|-\d+)$/i.test(id)), 'user ids');
      check(read.times?.every((time) => Number.isFinite(time)) !== false, 'finite times');
    },
  };
}

const SEQUENCES = '1 10 20 30\n2 20 10\n17 5 10 20 30 40\n';
const TABLE = 'user_id,item_id,rating,timestamp\n1,10,4,100\n1,"20",3.5,90\n2,10,5,1e2\nAnna,30,1,7\n';

const READERS: readonly FuzzedReader[] = [
  interactions('sequences', SEQUENCES),
  interactions('sequences', SEQUENCES, true),
  interactions('table', TABLE),
  interactions('table', TABLE.replaceAll(',', '\t'), true),
  interactions('user-item-rating-time', '0 3124 1 1473782400\n0 4771 1 1475078400\n1 846 1 1482508800\n'),
  interactions('movielens-dat', '1::1193::5::978300760\n1::661::3::978302109\n2::1193::4::978298413\n'),
  interactions('movielens-tabs', '196\t242\t3\t881250949\n186\t302\t3\t891717742\n196\t5\t1\t881250950\n'),
  interactions('amazon-ratings', 'A3YJ,020,5.0,1367366400\nA60X,020,3.0,1365465600\nA3YJ,077,1.0,1367366401\n'),
  interactions(
    'json-lines',
    '{"reviewerID": "A", "asin": "1", "overall": 5.0, "unixReviewTime": 10}\n{"reviewerID": "B", "asin": "1", "overall": 4.0, "unixReviewTime": 5}\n',
  ),
  {
    name: 'items',
    valid: '1::Toy Story (1995)::Animation|Comedy\n2::Jumanji (1995)::Adventure\n',
    async read(bytes) {
      check((await readItemTable(NAME, { bytes })).size > 0, 'items');
    },
  },
  {
    name: 'items with a header',
    valid: 'movieId,title,genres\n1,"Toy Story, The (1995)",Animation|Comedy\n2,Jumanji,(no genres listed)\n',
    async read(bytes) {
      check((await readItemTable(NAME, { bytes })).size > 0, 'items');
    },
  },
  ...['1\t0.5\t-1e-3\t2\n2\t3\tNaN\t4\n-1\t5\t6\tNaN\n', '@data\n0.5,-1e-3,2:1\n3,?,4:2\n5,6,?:1\n'].map(
    (valid, place): FuzzedReader => ({
      name: place === 0 ? 'series, .tsv' : 'series, .ts',
      valid,
      async read(bytes, lenient) {
        const { values, offsets, labels, classes } = await readSeries(NAME, { bytes, lenient });
        check(offsets.at(-1) === values.length && offsets.length === labels.length + 1, 'offsets');
        check(
          labels.every((label) => label < classes.length),
          'labels',
        );
      },
    }),
  ),
  {
    name: 'prices',
    valid:
      'date,open,high,low,close,volume,Name\n2014-03-27,568.0,568.5,552.9,558.4,13052,G\n2014-03-28,561.2,566.4,558.6,559.9,41003,G\n',
    async read(bytes, lenient) {
      const { days, low, high } = await readPrices(NAME, { bytes, lenient });
      check(
        days.every((day, i) => i === 0 || day > days[i - 1]!),
        'days',
      );
      check(
        low.every((price, i) => price > 0 && price <= high[i]!),
        'prices',
      );
    },
  },
  {
    name: 'texts',
    valid: 'split\tlabel\tid\ttext\ntrain\t1\t9_2\tgood "film"\ntest\t0\t1_1\tbad\n',
    async read(bytes, lenient) {
      const { texts, labels } = await readLabelledText(NAME, { bytes, lenient });
      check(texts.length === labels.length && texts.every((text) => text.trim() !== ''), 'texts');
    },
  },
];

function check(right: boolean, what: string): void {
  if (!right) throw new Error(`what was read contradicts itself: ${what}`);
}

const PIECES = [
  ...['\n', '\r', ' ', '\t', ',', ';', '::', ':', '"', '""', '-', '.', 'x', '{', '}', '[', '@', '#', '|'],
  ...['9'.repeat(20), 'NaN', 'null', '?', '1e999', '-1', '\0', '\uFEFF', 'é', '\uD800', '\n\n', '2014-02-30', '\u2028'],
].map((piece) => Buffer.from(piece));

/** One to three changes: cut out, put in, overwrite, repeat, cut off, glue to itself. */
function mutate(content: Buffer, generator: RandomGenerator): Buffer {
  let bytes = content;
  for (let change = 0; change <= generator.nextInt(3); change++) {
    const at = generator.nextInt(bytes.length + 1);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const kind = generator.nextInt(6);
    if (kind === 0) bytes = Buffer.concat([before, after.subarray(1 + generator.nextInt(6))]);
    else if (kind === 1) bytes = Buffer.concat([before, PIECES[generator.nextInt(PIECES.length)]!, after]);
    else if (kind === 2) bytes = Buffer.concat([before, Buffer.of(generator.nextInt(256)), after.subarray(1)]);
    else if (kind === 3) bytes = Buffer.concat([before, after.subarray(0, 12), after]);
    else if (kind === 4) bytes = before;
    else bytes = Buffer.concat([bytes, before]);
  }
  return bytes;
}

test.each(READERS)(
  '$name: a thousand damaged files and more are read or refused with the file and a reason',
  async (reader) => {
    const generator = randomGenerator(SEED, reader.name);
    const mutations = reader.gzipped === true ? GZIPPED_MUTATIONS : MUTATIONS;
    await reader.read(reader.gzipped ? gzipSync(reader.valid) : Buffer.from(reader.valid), false);
    let refused = 0;
    for (let round = 0; round < mutations; round++) {
      // gzipped: half the time the text is damaged, half the time the file
      const inside = reader.gzipped !== true || generator.nextInt(2) === 0;
      const text = inside ? mutate(Buffer.from(reader.valid), generator) : Buffer.from(reader.valid);
      const zipped = reader.gzipped ? gzipSync(text) : text;
      const content = inside ? zipped : mutate(zipped, generator);
      try {
        await reader.read(content, round % 2 === 1);
      } catch (thrown) {
        refused++;
        const isRefusal =
          thrown instanceof WarrenError && thrown.code === 'DATA_ERROR' && thrown.message.includes(NAME);
        if (!isRefusal)
          throw new Error(`seed ${SEED}, round ${round}: ${JSON.stringify(content.toString('latin1'))}`, {
            cause: thrown,
          });
      }
    }
    expect(refused).toBeGreaterThan(mutations / 20);
    expect(refused).toBeLessThan(mutations);
  },
);
