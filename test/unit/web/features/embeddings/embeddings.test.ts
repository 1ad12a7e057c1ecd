import { describe, expect, test } from 'vitest';
import {
  FIRST_CAMERA,
  FIRST_CAMERA_IN_SPACE,
  onScreen,
  pinched,
  projectionOf,
  rowAt,
  zoomed,
} from '#web/features/embeddings/camera.ts';
import { inCommonFrame } from '#web/features/embeddings/commonFrame.ts';
import { embeddingFile, whyDifferentItems } from '#web/features/embeddings/embeddingFiles.ts';
import { namingColumn, readItemTable } from '#web/features/embeddings/itemTable.ts';
import { colorOf, coloringByNumber, coloringByText, paintedRows } from '#web/features/embeddings/pointColors.ts';
import { embeddingOf, fetchEmbedding } from '#web/features/embeddings/readEmbeddings.ts';
import { clusterRows } from '#workers/math/embeddings/clusters.ts';
import { unitRows } from '#workers/math/embeddings/cosineNeighbours.ts';
import { encodeNpy } from '#workers/data/read/npyFile.ts';

describe('embeddings that a page reads', () => {
  test('a file that is too large is refused before it is fetched', async () => {
    const source = { url: 'http://127.0.0.1:1/', name: 'big.npy of run 3', sizeBytes: 2 * 1024 ** 3, items: null };
    await expect(fetchEmbedding(source)).rejects.toThrow(
      /^big\.npy of run 3 has 2.1 GB; the page shows files of 256 MB at most/,
    );
  });

  test.each([
    [[6], [1, 2, 3, 4, 5, 6], 'its shape is (6,)'],
    [[2, 2], [1, 2, 3, 4], 'its shape is (2, 2); expected at least 3 rows'],
    [
      [4, 1],
      [1, Number.NaN, 3, Number.POSITIVE_INFINITY],
      '2 rows, the first of them row 1, have numbers that are NaN',
    ],
    [[3, 2049], new Array<number>(3 * 2049).fill(0), 'the page shows 200,000 rows and 2,048 columns at most'],
  ])('numbers in the shape %j are refused, and why', (shape, values, why) => {
    expect(() => embeddingOf(encodeNpy(Float32Array.from(values), shape), 'a.npy')).toThrow(why);
  });

  test('the item embeddings of a run come first, and a wish decides', () => {
    const files = ['log.txt', 'per-user-ranks.npy', 'user-embeddings.npy', 'item-embeddings.npy'].map((name) => ({
      name,
    }));
    expect(embeddingFile(files, undefined)?.name).toBe('item-embeddings.npy');
    expect(embeddingFile(files, 'user-embeddings.npy')?.name).toBe('user-embeddings.npy');
    expect(embeddingFile(files, 'none.npy')).toBeNull();
    expect(embeddingFile(files.slice(0, 1), undefined)).toBeNull();
  });

  test('runs of other data are said to have other items', () => {
    const ml = { dataset: 'ml-1m', fingerprint: 'a' };
    expect(whyDifferentItems(ml, ml, 'number')).toBeNull();
    expect(whyDifferentItems(ml, { dataset: 'beauty', fingerprint: 'b' }, 'id')).toMatch(
      /different data \(ml-1m, beauty\)/,
    );
    const later = { dataset: 'ml-1m', fingerprint: 'b' };
    expect(whyDifferentItems(ml, later, 'number')).toMatch(/ml-1m changed/);
    expect(whyDifferentItems(ml, later, 'id')).toBeNull();
  });

  test('rows of three directions are three clusters, the largest first', () => {
    const rows = 60;
    const values = Float64Array.from({ length: rows * 3 }, (_, at) => {
      const [row, column] = [Math.floor(at / 3), at % 3];
      const group = row < 30 ? 1 : row < 50 ? 0 : 2;
      return (column === group ? 1 + row : 0) + 0.01 * ((row * 7) % 5);
    });
    const found = clusterRows(unitRows({ rows, columns: 3, values }), 3);
    expect([found[0], found[29], found[30], found[49], found[50], found[59]]).toEqual([0, 0, 1, 1, 2, 2]);
  });
});

describe('tables of items', () => {
  const columns = [
    { name: 'title', values: ['A, or B', 'C'], isNumeric: false },
    { name: 'popularity', values: [3, null], isNumeric: true },
  ];

  test.each([
    ['items.csv', 'title,popularity\r\n"A, or B",3\r\nC,\r\n'],
    ['items.tsv', '\ufefftitle\tpopularity\nA, or B\t3\nC\t\n'],
    ['items.jsonl', '{"title": "A, or B", "popularity": 3}\n{"title": "C"}\n'],
    ['items.json', '[{"title": "A, or B", "popularity": 3}, {"title": "C", "popularity": null}]'],
    ['items.json', '{"columns": ["title", "popularity"], "data": [["A, or B", 3], ["C", null]]}'],
    ['items.csv', 'row,title,popularity\n1,C,\n0,"A, or B",3\n'],
  ])('%s: %j', (name, text) => {
    const table = readItemTable(text, name);
    expect(table).toEqual({ rowCount: 2, columns });
    expect(namingColumn(table)?.name).toBe('title');
  });

  test('a list of ids names the items', () => {
    const table = readItemTable('["B00", "B01"]\n', 'items.json');
    expect(namingColumn(table)?.values).toEqual(['B00', 'B01']);
  });

  test.each([
    ['items.csv', 'title\n', 'there are no rows'],
    ['items.jsonl', '{"title": 1}\n{', 'items.jsonl cannot be read: '],
    ['items.json', '[1, [2]]', 'expected an object for each item'],
    ['items.csv', 'row,title\nx,A\n', 'its column "row" holds "x"'],
    ['items.xlsx', '', 'expected a name that ends with .csv'],
  ])('%s with %j is refused, and why', (name, text, why) => {
    expect(() => readItemTable(text, name)).toThrow(why);
  });
});

describe('colors of points', () => {
  test('numbers are colored by rank, equal ones alike, and rows without one apart', () => {
    const { codes, legend } = coloringByNumber([1, 1, 1000, null, 2]);
    expect(codes[0]).toBe(codes[1]);
    expect(codes[2]).toBeGreaterThan(codes[4]!);
    expect(codes[4]).toBeGreaterThan(codes[0]!);
    expect(legend.map(({ label, count }) => [label, count])).toEqual([
      ['1', 2],
      ['2', 1],
      ['1,000', 1],
      ['unknown', 1],
    ]);
  });

  test('the six most frequent texts have colors of their own', () => {
    const values = Array.from('aaabbcdefgh', (letter) => letter);
    const { legend } = coloringByText(values);
    expect(legend.map(({ label }) => label)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'others']);
    expect(legend.at(-1)?.count).toBe(2);
  });

  test('chosen colors stay bright, the others fade', () => {
    const coloring = coloringByText(['a', 'b']);
    const painted = paintedRows(coloring, (name) => (name === '--series-1' ? '#0072b2' : '#fff'), new Set([0]));
    expect([...painted.subarray(0, 3)]).toEqual([0, 0x72, 0xb2]);
    expect(painted[3]).toBeGreaterThan(painted[7]!);
    expect(colorOf('#fff')).toEqual([255, 255, 255]);
  });
});

describe('the camera', () => {
  test('two fingers zoom as they part, and what lies between them stays there', () => {
    const size = { width: 400, height: 200 };
    const from = [
      [100, 50],
      [140, 50],
    ] as const;
    const to = [
      [180, 90],
      [300, 90],
    ] as const;
    const camera = zoomed(FIRST_CAMERA, 1.5, [0.3, 0.1]);
    const moved = pinched(camera, { from, to }, size);
    expect(moved.zoom).toBeCloseTo(3 * camera.zoom, 12);
    // the place under the first middle, (120, 50), is under the second, (240, 90)
    const place = ({ zoom, shift }: typeof camera, x: number, y: number) =>
      [((2 * x) / 400 - 1 - shift[0]) / zoom, (1 - (2 * y) / 200 - shift[1]) / zoom] as const;
    const [before, after] = [place(camera, 120, 50), place(moved, 240, 90)];
    for (const axis of [0, 1] as const) expect(after[axis]).toBeCloseTo(before[axis], 12);
  });

  const size = { width: 400, height: 200 };

  test('nearly all points are in the frame, in the middle, without one far away deciding', () => {
    const places = Float64Array.from({ length: 2000 }, (_, at) => (at % 2 === 0 ? at / 2 : 5));
    places[1998] = 1e9;
    const [framed] = inCommonFrame([places], 2);
    expect(framed!.length).toBe(3000);
    expect(Math.abs(framed![3 * 500]!)).toBeLessThan(0.01);
    expect(framed![0]).toBeGreaterThan(-1.1);
    expect(framed![1]).toBe(0);
  });

  test('a point is found where it is drawn, from any side', () => {
    const places = Float32Array.of(0.5, 0.2, 0.3, -0.4, -0.6, 0.1);
    for (const camera of [FIRST_CAMERA, FIRST_CAMERA_IN_SPACE, zoomed(FIRST_CAMERA_IN_SPACE, 3, [0.2, -0.1])]) {
      const projection = projectionOf(camera, size);
      for (const row of [0, 1]) {
        const [x, y] = onScreen(places, row, projection);
        const spot = [((x + 1) / 2) * size.width + 2, ((1 - y) / 2) * size.height - 3] as const;
        expect(rowAt(places, projection, { spot, size, reach: 12 })).toBe(row);
        expect(rowAt(places, projection, { spot, size, reach: 2 })).toBeNull();
      }
    }
  });

  test('what lies under the pointer stays there when one zooms', () => {
    const places = Float32Array.of(0.5, 0.2, 0);
    const before = onScreen(places, 0, projectionOf(FIRST_CAMERA, size));
    const after = onScreen(places, 0, projectionOf(zoomed(FIRST_CAMERA, 4, before), size));
    for (const axis of [0, 1] as const) expect(after[axis]).toBeCloseTo(before[axis], 6);
  });
});
