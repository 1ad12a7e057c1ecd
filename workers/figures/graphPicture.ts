import { csvText } from './figureTable.ts';
import { svgToPng } from './renderFigure.ts';
import { type ArtifactPort, jsonText } from './reportFigure.ts';

/** Nodes of a graph with a value of each in several dimensions (LEPORID, Figure 1). */
export interface GraphPicture {
  title: string;
  /** (nodes) What each node is called, such as its number. */
  names: readonly (string | number)[];
  /** (nodes) In the unit square. */
  places: readonly (readonly [x: number, y: number])[];
  /** Pairs of places in `names`; drawn as lines. */
  edges: readonly (readonly [number, number])[];
  /** One panel each: its title and (nodes) values. */
  dimensions: readonly { title: string; values: readonly number[] }[];
}

const PANEL = { width: 300, height: 300, gap: 24, top: 64 };
const RED = '#c0392b';
const BLUE = '#2c6fbb';
/** Length of the longest bar of a panel. */
const BAR = 34;

const short = (value: number): string => String(Number(value.toFixed(2)));

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** The picture as SVG: a panel each dimension, a bar at each node, red up where positive, blue down where negative. */
export function graphPictureSvg({ title, places, edges, dimensions }: GraphPicture): string {
  const width = dimensions.length * (PANEL.width + PANEL.gap) + PANEL.gap;
  const height = PANEL.top + PANEL.height + 2 * PANEL.gap;
  const barWidth = short(Math.max(1, Math.min(5, 120 / Math.sqrt(places.length + 1))));
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" fill="#222">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="${width / 2}" y="26" text-anchor="middle" font-size="15">${escaped(title)}</text>`,
  ];
  for (const [index, { title: name, values }] of dimensions.entries()) {
    const left = PANEL.gap + index * (PANEL.width + PANEL.gap);
    const at = (node: number): [number, number] => {
      const [x, y] = places[node]!;
      return [left + x * PANEL.width, PANEL.top + PANEL.gap + (1 - y) * PANEL.height];
    };
    parts.push(
      `<text x="${left + PANEL.width / 2}" y="54" text-anchor="middle" font-size="12">${escaped(name)}</text>`,
    );
    const lines = edges.map(([a, b]) => `M${at(a).map(short).join(' ')}L${at(b).map(short).join(' ')}`).join('');
    if (lines !== '') parts.push(`<path d="${lines}" stroke="#ccc" stroke-width="0.6" fill="none"/>`);
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    for (const [sign, colour] of [
      [1, RED],
      [-1, BLUE],
    ] as const) {
      const bars = values.map((value, node) => {
        if (largest === 0 || Math.sign(value) !== sign) return '';
        const [x, y] = at(node);
        return `M${short(x)} ${short(y)}v${short((-BAR * value) / largest)}`;
      });
      parts.push(`<path d="${bars.join('')}" stroke="${colour}" stroke-width="${barWidth}" fill="none"/>`);
    }
  }
  return `${parts.join('\n')}\n</svg>\n`;
}

/** Leaves the picture as `NAME.svg` and `NAME.png`, and what it shows as `NAME.json` and `NAME.csv` (one node a line). */
export async function reportGraphPicture(port: ArtifactPort, name: string, picture: GraphPicture): Promise<void> {
  const svg = graphPictureSvg(picture);
  const { names, places, dimensions } = picture;
  const rows = names.map((node, at) => [node, ...places[at]!, ...dimensions.map(({ values }) => values[at]!)]);
  const header = ['node', 'x', 'y', ...dimensions.map(({ title }) => title)];
  port.artifact(`${name}.svg`, Buffer.from(svg), 'image/svg+xml');
  port.artifact(`${name}.png`, await svgToPng(svg), 'image/png');
  port.artifact(`${name}.json`, Buffer.from(jsonText(picture)), 'application/json');
  port.artifact(`${name}.csv`, Buffer.from(csvText([header, ...rows])), 'text/csv');
}
