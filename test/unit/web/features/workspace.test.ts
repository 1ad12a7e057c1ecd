import { describe, expect, test } from 'vitest';
import { viewSettingsSchema } from '#src/base/contracts/viewSettings.ts';
import type { Workspace } from '#src/base/contracts/workspace.ts';
import { svgContext } from '#web/charts/plot/svgContext.ts';
import { coloredSubjects, nextColor } from '#web/features/workspace/curveColors.ts';
import { showAlone, toggleCurve, withoutHidden } from '#web/features/workspace/hiddenCurves.ts';
import { matchingMetrics } from '#web/features/workspace/matchingMetrics.ts';
import { panelTitle } from '#web/features/workspace/panelTitle.ts';
import { rangeFilter } from '#web/features/workspace/rangeFilter.ts';
import {
  metricPanel,
  movePanel,
  sectionsOf,
  toggleSection,
  withoutPanel,
  withPanel,
} from '#web/features/workspace/sections.ts';
import { stableSlots } from '#web/features/workspace/subjects.ts';
import { readWorkspace, USUAL, writeWorkspace } from '#web/features/workspace/workspaceText.ts';

const CONFIGURATION = { kind: 'external', parameters: {}, dataset: null, datasetName: null, hash: 'h' };
const NAMES = ['train/loss', 'valid/loss', 'valid/ndcg@10', 'system/gpu', 'epoch'];
const shown = (workspace = USUAL, words = '') =>
  sectionsOf(NAMES, workspace, { words }).map(({ name, panels }) => [name, ...panels.map(({ metrics }) => metrics[0])]);

describe('the panels of a workspace', () => {
  test('are one for each metric, in sections by prefix, what tells of the machine folded', () => {
    const sections = sectionsOf(NAMES, USUAL);
    expect(sections.map(({ name }) => name)).toEqual(['valid', 'train', 'counters', 'system']);
    expect(sections.map(({ isOpen }) => isOpen)).toEqual([true, true, false, false]);
    const opened = sectionsOf(NAMES, toggleSection(toggleSection(USUAL, 'system'), 'train'));
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([true, false, false, true]);
  });

  test('of metrics that only count are folded behind the others until they are looked for', () => {
    const of = (words = '') => sectionsOf(['frames', 'reward', 'epoch'], USUAL, { words, counters: ['frames'] });
    const shownOf = (words = '') =>
      of(words).map(({ name, isOpen, panels }) => [name, isOpen, ...panels.map(({ metrics }) => metrics[0])]);
    expect(shownOf()).toEqual([
      ['metrics', true, 'reward'],
      ['counters', false, 'frames', 'epoch'],
    ]);
    expect(shownOf('frames')).toEqual([['counters', true, 'frames']]);
  });

  test('have media before what tells of the machine, each panel as usual until it is changed', () => {
    const of = (workspace = USUAL) => sectionsOf(NAMES, workspace, { media: ['samples', 'train/weights'] });
    expect(of().map(({ name }) => name)).toEqual(['valid', 'train', 'media', 'counters', 'system']);
    const [samples, weights] = of().find(({ name }) => name === 'media')!.panels;
    expect([samples!.id, weights!.metrics]).toEqual(['media:samples', ['train/weights']]);
    const grouped = withPanel(USUAL, { ...samples!, fields: ['config.parameters.lr'] });
    expect(readWorkspace(writeWorkspace(grouped))).toEqual(grouped);
    expect(of(grouped)[2]!.panels[0]!.fields).toEqual(['config.parameters.lr']);
    expect(withPanel(grouped, samples!)).toEqual(USUAL);
    expect(of(withoutPanel(USUAL, samples!.id))[2]!.panels).toEqual([weights]);
  });

  test('show values of one point behind curves, each panel as usual until it is changed', () => {
    const of = (workspace = USUAL) =>
      sectionsOf(NAMES, workspace, { single: ['valid/best', 'test/ndcg@10', 'time/load'] });
    expect(of().map(({ name, panels }) => [name, ...panels.map(({ id }) => id)])).toEqual([
      ['valid', 'line:valid/loss', 'line:valid/ndcg@10', 'value:valid/best'],
      ['train', 'line:train/loss'],
      ['test', 'value:test/ndcg@10'],
      ['counters', 'line:epoch'],
      ['system', 'line:system/gpu'],
      ['time', 'value:time/load'],
    ]);
    const value = of()[2]!.panels[0]!;
    expect([value.kind, panelTitle(value)]).toEqual(['bar', 'test/ndcg@10']);
    const wide = withPanel(USUAL, { ...value, width: 2 });
    expect(readWorkspace(writeWorkspace(wide))).toEqual(wide);
    expect(of(wide)[2]!.panels[0]!.width).toBe(2);
    expect(withPanel(wide, value)).toEqual(USUAL);
    expect(of(withoutPanel(USUAL, value.id)).map(({ name }) => name)).not.toContain('test');
  });

  test('are found by words', () => {
    expect(shown(USUAL, 'LOSS val')).toEqual([['valid', 'valid/loss']]);
  });

  test('are changed, moved and taken away, and the address says only what is otherwise', () => {
    expect(writeWorkspace(USUAL)).toBeUndefined();
    const wide = withPanel(USUAL, { ...metricPanel('valid/loss'), width: 2 });
    expect(readWorkspace(writeWorkspace(wide))).toEqual(wide);
    expect(withPanel(wide, metricPanel('valid/loss'))).toEqual(USUAL);
    const valid = sectionsOf(NAMES, USUAL)[0]!;
    const [first, second] = valid.panels.map(({ id }) => id);
    const moved = movePanel(USUAL, valid, { id: second!, to: 0 });
    expect(sectionsOf(NAMES, moved)[0]!.panels.map(({ id }) => id)).toEqual([second, first]);
    const less = withoutPanel(moved, first!);
    expect(sectionsOf(NAMES, less)[0]!.panels.map(({ id }) => id)).toEqual([second]);
    expect(readWorkspace(writeWorkspace(less))).toEqual(less);
  });

  test('of several metrics take a star for anything', () => {
    expect(matchingMetrics('valid/*', NAMES)).toEqual(['valid/loss', 'valid/ndcg@10']);
    expect(matchingMetrics('*loss', NAMES)).toEqual(['train/loss', 'valid/loss']);
    expect(matchingMetrics('v.*', NAMES)).toEqual(['v.*']);
    expect(matchingMetrics('a*b', ['a*b', 'axb'])).toEqual(['a*b']);
    const panel = { ...metricPanel('train/loss'), id: 'lines:1', pattern: 'valid/*, train/loss' };
    const drawn = (names: readonly string[]) => sectionsOf(names, { ...USUAL, panels: [panel] })[0]!.panels[0]!;
    expect(drawn(NAMES).metrics).toEqual(['valid/loss', 'valid/ndcg@10', 'train/loss']);
    expect(drawn([...NAMES, 'valid/late']).metrics, 'also what comes later').toContain('valid/late');
    expect(drawn(['epoch']).metrics).toEqual(['train/loss']);
    expect(panelTitle(drawn(NAMES))).toBe('valid/*, train/loss');
  });

  const subjectsOfWidths = (widths: readonly unknown[]) =>
    widths.map((width, index) => ({
      ...{ id: `run ${index}`, label: '', style: { colorVariable: '--series-1', dash: [] }, total: 1 },
      runs: [
        {
          ...{ id: `run ${index}`, number: index, name: '', seed: index, state: 'SUCCEEDED' as const },
          configuration: { ...CONFIGURATION, parameters: { width } },
        },
      ],
    }));
  const colorsOf = (widths: readonly unknown[], colors = {}) => {
    const found = coloredSubjects(subjectsOfWidths(widths), { colorBy: 'config.parameters.width', colors });
    return {
      colors: found.subjects.map(({ style }) => style.colorVariable.replace(/^--/, '')),
      dashes: found.subjects.map(({ style }) => style.dash.length),
      keys: found.keys.map(({ text }) => text),
    };
  };

  test('color curves by a field: equal values alike, in the order of the values, those without one gray', () => {
    expect(colorsOf([64, 8, 64, undefined, 16])).toEqual({
      colors: ['series-3', 'series-1', 'series-3', 'text-muted', 'series-2'],
      dashes: [0, 0, 2, 0, 0],
      keys: ['8', '16', '64', 'none, or several'],
    });
    const many = colorsOf([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(many.colors).toEqual([2, 2, 3, 3, 4, 4, 5, 5].map((step) => `ramp-${step}`));
    expect(many.keys).toEqual(['1 to 2', '3 to 4', '5 to 6', '7 to 8']);
    expect(colorsOf(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']).keys.at(-1)).toBe('g and 2 more');
    expect(colorsOf(['b', 'a'], { 'run 1': 5 }).colors).toEqual(['series-2', 'series-5']);
  });

  test('give a curve one color of the palette after the other, and at last its own', () => {
    const subjects = subjectsOfWidths([1, 2]);
    let workspace = USUAL;
    const seen: number[] = [];
    for (let press = 0; press < 6; press++) {
      workspace = nextColor(workspace, 'run 1', subjects);
      seen.push(workspace.colors['run 1'] ?? 0);
    }
    expect(seen).toEqual([2, 3, 4, 5, 6, 7]);
    expect(readWorkspace(writeWorkspace(workspace))).toEqual(workspace);
    expect(nextColor(workspace, 'run 1', subjects)).toEqual(USUAL);
  });

  test('draw no curve that is hidden; shown alone twice, all are back', () => {
    const subject = (id: string) => ({
      ...{ id, label: id, style: { colorVariable: '--series-1', dash: [] }, total: 1 },
      runs: [
        { id: `run of ${id}`, number: 1, name: id, seed: 1, state: 'RUNNING' as const, configuration: CONFIGURATION },
      ],
    });
    const subjects = ['a', 'b', 'c'].map(subject);
    const runs = subjects.flatMap((one) => one.runs);
    const drawn = (workspace: Workspace) =>
      withoutHidden(workspace, subjects, runs)
        .runs.map(({ name }) => name)
        .join('');
    const hidden = toggleCurve(USUAL, 'b');
    expect(drawn(hidden)).toBe('ac');
    expect(readWorkspace(writeWorkspace(hidden))).toEqual(hidden);
    expect(toggleCurve(hidden, 'b')).toEqual(USUAL);
    const alone = showAlone(hidden, 'b', ['a', 'b', 'c']);
    expect(drawn(alone)).toBe('b');
    expect(drawn(showAlone(alone, 'b', ['a', 'b', 'c']))).toBe('abc');
    expect(drawn(toggleCurve(USUAL, 'of another table'))).toBe('abc');
  });

  test('that an address spoils are as nobody changed them', () => {
    for (const text of ['{', '[]', '{"curves":0}', '{"panels":[{"id":"a"}]}'])
      expect(readWorkspace(text)).toEqual(USUAL);
  });

  test('are part of a saved view, which refuses what cannot be', () => {
    expect(viewSettingsSchema.parse({}).workspace).toBeNull();
    expect(viewSettingsSchema.parse({ layout: 'SPLIT', workspace: { curves: 50 } }).workspace).toEqual({
      ...USUAL,
      curves: 50,
    });
    expect(viewSettingsSchema.safeParse({ workspace: { settings: { x: 'moon' } } }).success).toBe(false);
  });
});

test('styles stay the same in whatever order runs are shown, and differ while there are enough', () => {
  const wishes = Array.from({ length: 35 }, (_, index) => ({ id: `run ${index}`, wanted: index * 3, rank: index }));
  const slots = stableSlots(wishes);
  expect(new Set(slots.values()).size).toBe(35);
  expect(stableSlots(wishes.toReversed())).toEqual(slots);
  // runs that come later take nothing from those that are there
  const fewer = stableSlots(wishes.slice(0, 20));
  for (const [id, slot] of fewer) expect(slots.get(id)).toBe(slot);
});

test('what is chosen along axes is a filter of the table', () => {
  const axes = [
    {
      id: 'config.parameters.dimension',
      values: [16, 32, 64, null],
      places: Float64Array.of(0, 0.3, 1, Number.NaN),
      categories: null,
    },
    {
      id: 'kind',
      values: ['sasrec', 'a "b"', 'sasrec', 'x'],
      places: Float64Array.of(0.75, 0.25, 0.75, 0.5),
      categories: 3,
    },
  ];
  expect(rangeFilter(axes, { 'config.parameters.dimension': [0.2, 1], kind: [0.6, 1] })).toBe(
    'config.parameters.dimension >= 32 and config.parameters.dimension <= 64 and kind in ("sasrec")',
  );
  expect(rangeFilter(axes, { kind: [0, 0.4] })).toBe('kind in ("a \\"b\\"")');
});

test('a picture of curves is SVG in which names stay text', () => {
  const context = svgContext({ width: 100, height: 50 }, (text) => text.length);
  context.save();
  context.translate(10, 5);
  context.strokeStyle = '#123456';
  context.setLineDash([2, 1]);
  context.beginPath();
  context.moveTo(0, 0);
  context.lineTo(1, 2);
  context.stroke();
  context.restore();
  context.fillText('<script>&"', 1, 2);
  const svg = context.svg();
  expect(svg).toContain('d="M10 5L11 7" fill="none" stroke="#123456"');
  expect(svg).toContain('stroke-dasharray="2 1"');
  expect(svg).toContain('&lt;script&gt;&amp;&quot;</text>');
  expect(svg).not.toContain('<script>');
});
