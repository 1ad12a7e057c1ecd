import type { Workspace } from '#src/base/contracts/workspace.ts';
import { valueText } from '#src/base/lib/labels.ts';
import { DASHES, SERIES_COLORS, type SeriesStyle } from '#web/charts/seriesStyle.ts';
import { compareValues, fieldValue } from './fieldValue.ts';
import type { Subject } from './subjects.ts';

/** What a color stands for where curves are colored by a field. */
export interface ColorKey {
  text: string;
  style: SeriesStyle;
}

/** The color of curves whose runs have no value of the field, or several. */
export const WITHOUT = '--text-muted';
/** Colors of many numbers, from small to large; the palest of the ramp is too faint for lines. */
const RAMP = ['--ramp-2', '--ramp-3', '--ramp-4', '--ramp-5'];

/**
 * The subjects in the colors that were chosen: those of a field, where equal values share a color and dashes tell its curves
 * apart, and over them those of single curves. Up to seven values have a color each, in their order; more numbers share those of
 * a ramp in four parts of the same size, more texts the last color.
 * @returns also what the colors stand for; empty where they are no field's.
 */
export function coloredSubjects(
  subjects: readonly Subject[],
  { colorBy, colors }: Pick<Workspace, 'colorBy' | 'colors'>,
): { subjects: readonly Subject[]; keys: readonly ColorKey[] } {
  const { styles, keys } = colorBy === null ? NO_FIELD : stylesOfField(subjects, colorBy);
  if (styles === null && Object.keys(colors).length === 0) return { subjects, keys };
  const colored = subjects.map((subject) => {
    const style = styles?.get(subject.id) ?? subject.style;
    const own = colors[subject.id];
    return { ...subject, style: own === undefined ? style : { ...style, colorVariable: `--series-${own}` } };
  });
  return { subjects: colored, keys };
}

const NO_FIELD = { styles: null, keys: [] };

/** The workspace with the next color of the palette for one of the subjects; the one that it has without a word is not written down. */
export function nextColor(workspace: Workspace, id: string, subjects: readonly Subject[]): Workspace {
  const { [id]: chosen, ...others } = workspace.colors;
  const usual = coloredSubjects(subjects, { ...workspace, colors: {} }).subjects.find((subject) => subject.id === id);
  const usualSlot = Number(/^--series-(\d+)$/.exec(usual?.style.colorVariable ?? '')?.[1] ?? 0);
  const next = ((chosen ?? usualSlot) % SERIES_COLORS) + 1;
  return { ...workspace, colors: next === usualSlot ? others : { ...others, [id]: next } };
}

function stylesOfField(subjects: readonly Subject[], field: string) {
  const values = subjects.map(({ runs }) => {
    const found = new Map(
      runs.map((run) => fieldValue(run, field)).map((value) => [JSON.stringify(value ?? null), value]),
    );
    return found.size === 1 ? ([...found.values()][0] ?? null) : null;
  });
  const distinct = [
    ...new Map(values.filter((value) => value !== null).map((value) => [JSON.stringify(value), value])).values(),
  ].sort(compareValues);
  const { variableOf, keys } = scaleOf(distinct);
  const used = new Map<string, number>();
  const styles = new Map(
    subjects.map(({ id }, index): [string, SeriesStyle] => {
      const value = values[index];
      const colorVariable = value === null ? WITHOUT : variableOf(value);
      const before = used.get(colorVariable) ?? 0;
      used.set(colorVariable, before + 1);
      return [id, { colorVariable, dash: DASHES[before % DASHES.length]! }];
    }),
  );
  const none = { text: 'none, or several', style: { colorVariable: WITHOUT, dash: [] } };
  return { styles, keys: values.includes(null) ? [...keys, none] : keys };
}

/** The color of each of the values, which are sorted. */
function scaleOf(distinct: readonly unknown[]): { variableOf(value: unknown): string; keys: ColorKey[] } {
  const key = (text: string, colorVariable: string): ColorKey => ({ text, style: { colorVariable, dash: [] } });
  if (distinct.length > SERIES_COLORS && distinct.every((value) => typeof value === 'number')) {
    const places = new Map<unknown, number>(distinct.map((value, place) => [value, place]));
    const partOf = (value: unknown) => Math.floor(((places.get(value) ?? 0) / distinct.length) * RAMP.length);
    const keys = RAMP.map((variable, part) => {
      const own = distinct.filter((value) => partOf(value) === part);
      return key(`${valueText(own[0])} to ${valueText(own.at(-1))}`, variable);
    });
    return { variableOf: (value) => RAMP[partOf(value)]!, keys };
  }
  const texts = distinct.map((value) => JSON.stringify(value));
  const slotOf = (value: unknown) => Math.min(texts.indexOf(JSON.stringify(value)) + 1, SERIES_COLORS);
  const shown = distinct.slice(0, SERIES_COLORS);
  const rest = distinct.length - SERIES_COLORS;
  const keys = shown.map((value, index) => {
    const isLast = rest > 0 && index === SERIES_COLORS - 1;
    return key(isLast ? `${valueText(value)} and ${rest} more` : valueText(value), `--series-${index + 1}`);
  });
  return { variableOf: (value) => `--series-${slotOf(value)}`, keys };
}
