import { escapeXml } from '#web/lib/escapeXml.ts';
import type { DrawingContext } from './drawingContext.ts';

const ANCHORS: Partial<Record<CanvasTextAlign, string>> = { center: 'middle', right: 'end', end: 'end' };
/** How far down a text's own line stands from where the canvas would put it, in parts of its size. */
const SHIFTS: Partial<Record<CanvasTextBaseline, number>> = { middle: 0.35, top: 0.8, hanging: 0.8 };

interface State {
  strokeStyle: DrawingContext['strokeStyle'];
  fillStyle: DrawingContext['fillStyle'];
  lineWidth: number;
  lineJoin: CanvasLineJoin;
  globalAlpha: number;
  font: string;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
  dash: readonly number[];
  clipId: string | null;
  left: number;
  top: number;
}

const FIRST: State = {
  ...{ strokeStyle: '#000', fillStyle: '#000', lineWidth: 1, lineJoin: 'miter', globalAlpha: 1 },
  ...{ font: '10px sans-serif', textAlign: 'start', textBaseline: 'alphabetic', dash: [], clipId: null },
  ...{ left: 0, top: 0 },
};

/**
 * A drawing context that writes SVG instead of pixels.
 * @param measure Tells how wide a text is in a font, in pixels.
 * @param name Begins the ids in it, so that several pictures of one page have different ones.
 */
export function svgContext(
  size: { width: number; height: number },
  measure: (text: string, font: string) => number,
  name = 'clip',
): DrawingContext & { svg(): string } {
  const parts: string[] = [];
  const clips: string[] = [];
  const kept: State[] = [];
  let path = '';
  const state: State = { ...FIRST };
  const at = (value: number) => String(Math.round(value * 100) / 100);
  const across = (value: number) => at(value + state.left);
  const down = (value: number) => at(value + state.top);
  const clipped = () => (state.clipId === null ? '' : ` clip-path="url(#${state.clipId})"`);
  const alpha = () => (state.globalAlpha === 1 ? '' : ` opacity="${at(state.globalAlpha)}"`);
  const strokes = () =>
    ` fill="none" stroke="${escapeXml(String(state.strokeStyle))}" stroke-width="${at(state.lineWidth)}" stroke-linejoin="${state.lineJoin}"` +
    (state.dash.length === 0 ? '' : ` stroke-dasharray="${state.dash.map(at).join(' ')}"`);
  const box = (left: number, top: number, width: number, height: number) =>
    `<rect x="${across(left)}" y="${down(top)}" width="${at(width)}" height="${at(height)}"`;
  const add = (piece: string) => {
    path += piece;
  };
  const methods = {
    beginPath() {
      path = '';
    },
    closePath: () => add('Z'),
    moveTo: (x: number, y: number) => add(`M${across(x)} ${down(y)}`),
    lineTo: (x: number, y: number) => add(`${path === '' ? 'M' : 'L'}${across(x)} ${down(y)}`),
    rect: (x: number, y: number, width: number, height: number) =>
      add(`M${across(x)} ${down(y)}h${at(width)}v${at(height)}h${at(-width)}Z`),
    /** Whole circles alone: plots draw no others. */
    arc(x: number, y: number, radius: number) {
      const half = (to: number) => `a${at(radius)} ${at(radius)} 0 1 0 ${at(to)} 0`;
      add(`M${across(x - radius)} ${down(y)}${half(2 * radius)}${half(-2 * radius)}Z`);
    },
    stroke: () => void (path === '' || parts.push(`<path d="${path}"${strokes()}${alpha()}${clipped()}/>`)),
    fill: () =>
      void (
        path === '' ||
        parts.push(`<path d="${path}" fill="${escapeXml(String(state.fillStyle))}"${alpha()}${clipped()}/>`)
      ),
    fillRect: (...sides: [number, number, number, number]) =>
      void parts.push(`${box(...sides)} fill="${escapeXml(String(state.fillStyle))}"${alpha()}${clipped()}/>`),
    strokeRect: (...sides: [number, number, number, number]) =>
      void parts.push(`${box(...sides)}${strokes()}${alpha()}${clipped()}/>`),
    fillText(text: string, x: number, y: number) {
      const font = /^(?:(\d+) )?([\d.]+)px (.*)$/.exec(state.font);
      const fontSize = Number(font?.[2] ?? 10);
      const shift = (SHIFTS[state.textBaseline] ?? 0) * fontSize;
      parts.push(
        `<text x="${across(x)}" y="${down(y + shift)}" font-size="${fontSize}" font-family="${escapeXml(font?.[3] ?? 'sans-serif')}"` +
          (font?.[1] === undefined ? '' : ` font-weight="${font[1]}"`) +
          ` text-anchor="${ANCHORS[state.textAlign] ?? 'start'}" fill="${escapeXml(String(state.fillStyle))}"${alpha()}${clipped()}>${escapeXml(text)}</text>`,
      );
    },
    measureText: (text: string) => ({ width: measure(text, state.font) }),
    setLineDash(dash: Iterable<number>) {
      state.dash = [...dash];
    },
    save: () => void kept.push({ ...state }),
    restore: () => void Object.assign(state, kept.pop() ?? FIRST),
    translate: (x: number, y: number) => void Object.assign(state, { left: state.left + x, top: state.top + y }),
    clip() {
      const id = `${name}${clips.length}`;
      clips.push(`<clipPath id="${id}"><path d="${path}"/></clipPath>`);
      state.clipId = id;
    },
    svg: () =>
      `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}">` +
      `<defs>${clips.join('')}</defs>${parts.join('')}</svg>\n`,
  };
  return Object.defineProperties(methods, accessors(state)) as typeof methods & State;
}

/** What is set on the context (`lineWidth = 2`) is kept in its state. */
function accessors(state: State): PropertyDescriptorMap {
  const names = Object.keys(FIRST) as (keyof State)[];
  return Object.fromEntries(
    names.map((name) => [
      name,
      { get: () => state[name], set: (value: never) => void Object.assign(state, { [name]: value }) },
    ]),
  );
}
