import type { Figure } from './figure.ts';
import { csvText, figureTable } from './figureTable.ts';
import { FIGURE_SIZE, type FigureSize, figureSvg, svgToPng } from './renderFigure.ts';

/** Where the files of a figure go: part of an experiment's `Reporter`. */
export interface ArtifactPort {
  artifact(name: string, bytes: Uint8Array, mediaType: string): void;
}

/** JSON of a value whose numbers may be NaN or infinite: these become their names, as JSON has no numbers for them. */
export function jsonText(value: unknown): string {
  const spell = (_key: string, inner: unknown): unknown =>
    typeof inner === 'number' && !Number.isFinite(inner) ? String(inner) : inner;
  return `${JSON.stringify(value, spell, 2)}\n`;
}

/**
 * Leaves a figure as four artifacts: `NAME.svg`, `NAME.png`, its data as `NAME.json` (the figure itself) and as `NAME.csv`
 * (one value per line).
 */
export async function reportFigure(
  port: ArtifactPort,
  name: string,
  { figure, size = FIGURE_SIZE }: { figure: Figure; size?: FigureSize },
): Promise<void> {
  const svg = await figureSvg(figure, size);
  port.artifact(`${name}.svg`, Buffer.from(svg), 'image/svg+xml');
  port.artifact(`${name}.png`, await svgToPng(svg), 'image/png');
  port.artifact(`${name}.json`, Buffer.from(jsonText(figure)), 'application/json');
  port.artifact(`${name}.csv`, Buffer.from(csvText(figureTable(figure))), 'text/csv');
}
