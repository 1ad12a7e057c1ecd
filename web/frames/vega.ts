import { type Config, type Loader, parse, type Spec, View } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';
import { serveFrame } from './serveFrame.ts';

const DARK: Config = {
  background: 'transparent',
  axis: {
    labelColor: '#c9d1d9',
    titleColor: '#c9d1d9',
    gridColor: '#3d444d',
    domainColor: '#6e7681',
    tickColor: '#6e7681',
  },
  legend: { labelColor: '#c9d1d9', titleColor: '#c9d1d9' },
  title: { color: '#c9d1d9', subtitleColor: '#c9d1d9' },
  style: { 'guide-label': { fill: '#c9d1d9' }, 'guide-title': { fill: '#c9d1d9' } },
};

function refuse(): Promise<never> {
  return Promise.reject(
    new Error('data and pictures from other addresses are not loaded: put the values into the chart'),
  );
}

const loader: Loader = { load: refuse, sanitize: refuse, http: refuse, file: refuse };

let shown: View | null = null;

serveFrame(async (target, { spec, dark }) => {
  shown?.finalize();
  const config = dark ? DARK : { background: 'transparent' };
  let problem: Error | null = null;
  const logger = {
    level: () => logger,
    error(...words: readonly unknown[]) {
      problem ??= words.find((word) => word instanceof Error) ?? new Error(words.join(' '));
      return logger;
    },
    warn(...words: readonly unknown[]) {
      if (words[0] === 'Loading failed') problem ??= new Error(words.slice(1).join(': '));
      return logger;
    },
    info: () => logger,
    debug: () => logger,
  };
  // expressions are interpreted, never compiled into functions
  const runtime = parse(vegaOf(spec), config, { ast: true });
  const view = new View(runtime, { expr: expressionInterpreter, loader, logger, renderer: 'canvas', hover: true });
  shown = view;
  await view.initialize(target).runAsync();
  if (problem !== null) throw problem;
});

/** A chart of Vega itself as it is, and one of Vega-Lite compiled to it. */
function vegaOf(spec: unknown): Spec {
  if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) throw new Error('it is no object');
  const { $schema }: { $schema?: unknown } = spec;
  if (typeof $schema === 'string' && $schema.includes('/vega/')) return spec as Spec;
  // its own background would be white, under any theme
  return compile(spec as TopLevelSpec, { config: { background: 'transparent' } }).spec;
}
