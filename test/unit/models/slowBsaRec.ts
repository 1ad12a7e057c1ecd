/** BSARec over whole windows with a Fourier transform by its sums, in double precision and one number at a time. */
import type { BsaRecOptions, BsaRecShape } from '#workers/models/bsaRec.ts';
import { gelu } from './slowMaeRec.ts';
import { attend, normalised, type PlainParameters, plus, rowOf, times, type Vector } from './slowNetworks.ts';

/** (length, d) States of each item of one sequence, each of which has heard all of it. No dropout. */
export function slowBsaRecStates(
  p: PlainParameters,
  items: readonly number[],
  { shape, options }: { shape: BsaRecShape; options: BsaRecOptions },
): Vector[] {
  const { dimension: d, maximumLength: window, blocks, heads } = shape;
  const apply = (name: string, x: Vector): Vector => times(x, p.get(`${name}/weight`)!, p.get(`${name}/bias`)!);
  const norm = (name: string, x: Vector): Vector =>
    normalised(x, p.get(`${name}/gain`)!, p.get(`${name}/bias`)!, 1e-12);
  const pads = window - items.length;
  let x = items.map((item, place) =>
    norm('embeddingNorm', plus(rowOf(p.get('items')!, item, d), rowOf(p.get('positions')!, pads + place, d))),
  );
  for (let block = 0; block < blocks; block++) {
    const at = `block${block}`;
    const padded = [...Array.from({ length: pads }, () => x[0]!.map(() => 0)), ...x];
    const low = lowPass(padded, Math.floor(options.cutoff / 2)).slice(pads);
    const root = p.get(`${at}/root`)!;
    const [q, k, v] = ['query', 'key', 'value'].map((name) => x.map((row) => apply(`${at}/${name}`, row)));
    x = x.map((row, place) => {
      const bent = row.map((value, c) => low[place]![c]! + root[c]! ** 2 * (value - low[place]![c]!));
      const filtered = norm(`${at}/filterNorm`, plus(row, bent));
      const heard = attend({ q: q![place]!, k: k!.slice(0, place + 1), v: v!.slice(0, place + 1), heads });
      const attended = norm(`${at}/attentionNorm`, plus(row, apply(`${at}/output`, heard)));
      const y = filtered.map((value, c) => options.filterShare * value + (1 - options.filterShare) * attended[c]!);
      return norm(`${at}/forwardNorm`, plus(y, apply(`${at}/forward2`, apply(`${at}/forward1`, y).map(gelu))));
    });
  }
  return x;
}

/** The rows with only frequencies up to `highest`, and their mirror images. */
function lowPass(rows: readonly Vector[], highest: number): Vector[] {
  const n = rows.length;
  return rows.map((row, place) =>
    row.map((_, c) => {
      let sum = 0;
      for (let frequency = 0; frequency < n; frequency++) {
        if (Math.min(frequency, n - frequency) > highest) continue;
        for (const [other, from] of rows.entries())
          sum += (from[c]! * Math.cos((2 * Math.PI * frequency * (place - other)) / n)) / n;
      }
      return sum;
    }),
  );
}
