import { csvText } from './figureTable.ts';
import { svgToPng } from './renderFigure.ts';
import { type ArtifactPort, jsonText } from './reportFigure.ts';

/** The same points in several panels, coloured by group (SEvo, Figure 8). */
export interface ScatterPicture {
  title: string;
  /** (points) What each is called. */
  names: readonly string[];
  /** Names of the groups, at most as many as there are colours. */
  groups: readonly string[];
  /** (points) Each point's group, -1 for none: those are grey. */
  groupOf: readonly number[];
  /** One panel each: its title and (points) places, on scales of their own. */
  panels: readonly { title: string; places: readonly (readonly [x: number, y: number])[] }[];
}

/** Colours of Okabe and Ito (2008), told apart with any colour vision. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000', '#b2a800'];
/** How many groups have a colour. */
export const SCATTER_COLOURS = COLOURS.length;
const GREY = '#c4c4c4';
const PANEL = { width: 340, height: 340, gap: 24, top: 64 };
const LEGEND_ROW = 20;

const short = (value: number): string => String(Number(value.toFixed(1)));

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Middle and half the greater extent of finite places. */
function frameOf(places: ScatterPicture['panels'][number]['places']) {
  const range = (axis: 0 | 1) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const place of places) {
      low = Math.min(low, place[axis]);
      high = Math.max(high, place[axis]);
    }
    return { middle: (low + high) / 2, half: (high - low) / 2 };
  };
  const [x, y] = [range(0), range(1)];
  return { x: x.middle, y: y.middle, half: Math.max(x.half, y.half) || 1 };
}

/** The picture as SVG: panels in rows of up to three, a legend below. Both axes of a panel have the same scale. */
export function scatterPictureSvg({ title, groups, groupOf, panels }: ScatterPicture): string {
  const columns = panels.length === 4 ? 2 : Math.min(3, panels.length);
  const width = Math.max(560, columns * (PANEL.width + PANEL.gap) + PANEL.gap);
  const firstLeft = (width - columns * PANEL.width - (columns - 1) * PANEL.gap) / 2;
  const rowHeight = PANEL.height + PANEL.gap + 16;
  const legendTop = PANEL.top + Math.ceil(panels.length / columns) * rowHeight;
  const legend = [...groups.keys(), ...(groupOf.includes(-1) ? [-1] : [])];
  const height = legendTop + legend.length * LEGEND_ROW + PANEL.gap;
  const dot = short(Math.max(2, Math.min(7, 160 / Math.sqrt(groupOf.length + 1))));
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" fill="#222">`,
    '<rect width="100%" height="100%" fill="#fff"/>',
    `<text x="${width / 2}" y="26" text-anchor="middle" font-size="15">${escaped(title)}</text>`,
  ];
  const colourOf = (group: number): string => COLOURS[group] ?? GREY;
  for (const [index, { title: name, places }] of panels.entries()) {
    const left = firstLeft + (index % columns) * (PANEL.width + PANEL.gap);
    const top = PANEL.top + Math.floor(index / columns) * rowHeight;
    const frame = frameOf(places);
    const scale = (0.96 * PANEL.width) / (2 * frame.half);
    parts.push(
      `<text x="${left + PANEL.width / 2}" y="${top - 8}" text-anchor="middle" font-size="12">${escaped(name)}</text>`,
      `<rect x="${left}" y="${top}" width="${PANEL.width}" height="${PANEL.height}" fill="none" stroke="#ddd"/>`,
    );
    // those without a group first, so that they hide none
    for (const group of [-1, ...groups.keys()]) {
      const dots = places.map(([x, y], point) => {
        if (groupOf[point] !== group) return '';
        const across = left + PANEL.width / 2 + scale * (x - frame.x);
        const down = top + PANEL.height / 2 - scale * (y - frame.y);
        return `M${short(across)} ${short(down)}h0`;
      });
      const path = dots.join('');
      if (path === '') continue;
      parts.push(
        `<path d="${path}" stroke="${colourOf(group)}" stroke-width="${dot}" stroke-linecap="round" stroke-opacity="0.7" fill="none"/>`,
      );
    }
  }
  for (const [row, group] of legend.entries()) {
    const y = legendTop + row * LEGEND_ROW;
    parts.push(
      `<circle cx="${PANEL.gap + 6}" cy="${y}" r="5" fill="${colourOf(group)}"/>`,
      `<text x="${PANEL.gap + 20}" y="${y + 4}" font-size="12">${escaped(groups[group] ?? 'none known')}</text>`,
    );
  }
  return `${parts.join('\n')}\n</svg>\n`;
}

/** Leaves the picture as `NAME.svg` and `NAME.png`, and what it shows as `NAME.json` and `NAME.csv` (one point a line). */
export async function reportScatterPicture(port: ArtifactPort, name: string, picture: ScatterPicture): Promise<void> {
  const svg = scatterPictureSvg(picture);
  const { names, groups, groupOf, panels } = picture;
  const header = ['name', 'group', ...panels.flatMap(({ title }) => [`${title}: x`, `${title}: y`])];
  const rows = names.map((point, at) => [
    point,
    groups[groupOf[at]!] ?? '',
    ...panels.flatMap(({ places }) => [places[at]![0], places[at]![1]]),
  ]);
  port.artifact(`${name}.svg`, Buffer.from(svg), 'image/svg+xml');
  port.artifact(`${name}.png`, await svgToPng(svg), 'image/png');
  port.artifact(`${name}.json`, Buffer.from(jsonText(picture)), 'application/json');
  port.artifact(`${name}.csv`, Buffer.from(csvText([header, ...rows])), 'text/csv');
}
