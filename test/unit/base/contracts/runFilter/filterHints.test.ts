import { expect, test } from 'vitest';
import { meantFields } from '#src/base/contracts/runFilter/meantFields.ts';
import { fieldHint, filterHints, metricHints, usualMetrics } from '#src/base/contracts/runFilter/filterHints.ts';

const used = {
  metrics: ['system/cpu', 'train/loss', 'valid/rmse'],
  configuration: ['dataset.name', 'parameters.learningRate', 'parameters.optimizer.name'],
  kinds: ['external', 'item-knn'],
  datasets: ['amazon-beauty'],
  tags: ['baseline'],
  texts: ['phase'],
};

test('metrics that tell how good a model is are shown before others, those of recommenders first', () => {
  expect(usualMetrics(used.metrics)).toEqual(['valid/rmse', 'train/loss']);
  expect(usualMetrics([...used.metrics, 'test/ndcg@10', 'test/loss'])).toEqual(['test/ndcg@10']);
  expect(usualMetrics(['epoch', 'lr', 'train/epoch', 'train/loss', 'val/acc'])).toEqual(['val/acc', 'train/loss']);
  expect(usualMetrics(['system/cpu'])).toEqual([]);
});

test('a name that no run has is told with what is near', () => {
  expect(metricHints(['valid/rmsee', 'train/loss'], used)).toEqual([
    'no run has a metric "valid/rmsee". Did you mean "valid/rmse"?',
  ]);
  expect(metricHints(['zzz'], used)).toEqual(['no run has a metric "zzz". There are valid/rmse, train/loss and more.']);
});

test('a word that is no field is told as the metric or parameter that it may be', () => {
  const names = { ...used, metrics: ['loss', 'a b'] };
  expect(fieldHint('loss', names)).toBe('Runs have a metric "loss": write metric.loss');
  expect(fieldHint('learningRate', names)).toBe('Runs have a parameter "learningRate": write config.learningRate');
  expect(fieldHint('phase', names)).toBe('Runs have a text "phase": write text.phase');
  expect(fieldHint('los', names)).toBe('Did you mean "metric.loss"?');
  expect(fieldHint('ab', names)).toBe('Did you mean "metric."a b""?');
  expect(fieldHint('zzzzz', names)).toBeNull();
});

test('a word that ends a longer name means that one, as filters write it', () => {
  const names = { ...used, metrics: ['valid/loss', 'a b/loss'], texts: [] };
  expect(meantFields('name', names)).toEqual(['config.dataset.name', 'config.optimizer.name']);
  expect(meantFields('loss', names)).toEqual(['metric.valid/loss', 'metric."a b/loss"']);
  expect(fieldHint('name', { ...names, configuration: ['parameters.optimizer.name'] })).toBe(
    'Did you mean "config.optimizer.name"?',
  );
});

test('a filter that matches nothing is looked through for names, values and days', () => {
  const hints = (filter: string) => filterHints(filter, used);
  expect(hints('config.learningRat > 1 or (not metric."valid/rmsee" < 2 and tag = basline)')).toEqual([
    'no run has config.learningRat. Did you mean "config.learningRate"?',
    'no run has a metric "valid/rmsee". Did you mean "valid/rmse"?',
    'no run has the tag "basline". Did you mean "baseline"?',
  ]);
  expect(hints('kind in (itemknn, external) and dataset = amazon-beaty')).toEqual([
    'no run has the kind "itemknn". Did you mean "item-knn"?',
    'no run has the dataset "amazon-beaty". Did you mean "amazon-beauty"?',
  ]);
  expect(filterHints('kind in (sasrek, zzzz) and tag = zz', { ...used, knownKinds: ['sasrec', 'overrec'] })).toEqual([
    'no run has the kind "sasrek". There is a kind "sasrec", of which there are no runs, either.',
    'no run has the kind "zzzz". There are external, item-knn.',
    'no run has the tag "zz". There are baseline.',
  ]);
  const known = {
    ...{ users: ['ada', 'ben'], projects: ['digits'], configuration: ['parameters.model', 'parameters.net.layers'] },
    valuesOf: (path: string) => (path === 'parameters.model' ? ['mlp', 'svc'] : ['2', '3']),
  };
  const withValues = (filter: string) => filterHints(filter, { ...used, ...known });
  expect(withValues('config.model = svm and user = adda and project in (digits, digts)')).toEqual([
    'no run has config.model = svm. Did you mean "svc"?',
    'no run has the user "adda". Did you mean "ada"?',
    'no run has the project "digts". Did you mean "digits"?',
  ]);
  expect(withValues('config.net.layers in (2, 7)')).toEqual(['no run has config.net.layers = 7. There are 2, 3.']);
  expect(withValues('config.model != svm and config.net.layers > 7 and config.net = x and user = ben')).toEqual([]);
  expect(hints('user = adda and config.learningRate = 7')).toEqual([]);
  expect(hints('config.seed = 3')).toEqual(['no run has config.seed. The seed is a field of its own: write seed']);
  expect(hints('text.phase = warm and text.phas = warm')).toEqual([
    'no run has logged a text "phas". Did you mean "phase"?',
  ]);
  expect(hints('config.learning_rate = 1 and config.optimizer is null and seed = 3 and name = "x"')).toEqual([]);
  expect(hints('created > 2026-11-25')).toEqual([
    '"created > 2026-11-25" is after the end of that day, which is meant in UTC: ">= 2026-11-25" takes the day itself, too',
  ]);
  expect(hints('created > 2026-11-25T10:00Z and created > -2d and ended >= 2026-11-25')).toEqual([]);
});
