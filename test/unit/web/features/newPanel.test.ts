import { expect, test } from 'vitest';
import { newPanel, type PanelDraft } from '#web/features/workspace/newPanel.ts';

const project = { metrics: ['test/hr@5', 'test/hr@10', 'train/loss'], fields: ['parameters.learningRate'] };
const draft: PanelDraft = { kind: 'line', metricText: '', formulaText: '', fieldTexts: ['', ''] };

test('a pattern draws all metrics that match it, and is kept for those that come', () => {
  expect(newPanel({ ...draft, metricText: 'test/*' }, project, ['lines:1'])).toEqual({
    ...{ id: 'lines:2', kind: 'line', metrics: ['test/hr@5', 'test/hr@10'], fields: [], pattern: 'test/*' },
    ...{ width: 1, height: 1, settings: {} },
  });
});

test('a field is found by the end of its path', () => {
  const scatter: PanelDraft = { ...draft, kind: 'scatter', metricText: 'train/loss', fieldTexts: ['learningRate'] };
  expect(newPanel(scatter, project, [])).toMatchObject({ fields: ['config.parameters.learningRate'] });
});

test('a formula is a panel of curves over the metrics that it names', () => {
  const formula: PanelDraft = { ...draft, kind: 'formula', formulaText: ' "train/loss" * 2 ' };
  expect(newPanel(formula, project, [])).toMatchObject({
    ...{ kind: 'line', metrics: ['train/loss'], formula: '"train/loss" * 2' },
  });
});

test('what is wrong with a draft is said', () => {
  expect(newPanel(draft, project, [])).toEqual({ problem: 'Name a metric.' });
  expect(newPanel({ ...draft, metricText: 'nothing' }, project, [])).toEqual({
    problem: 'No run of the project has a metric nothing.',
  });
  const scatter: PanelDraft = { ...draft, kind: 'scatter', metricText: 'train/loss', fieldTexts: ['nothing'] };
  expect(newPanel(scatter, project, [])).toEqual({
    problem: 'By: name a parameter (such as parameters.learningRate), kind, seed or a metric.',
  });
});
