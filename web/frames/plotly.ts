import Plotly from 'plotly.js-cartesian-dist-min';
import { serveFrame } from './serveFrame.ts';

/** Of the traces that Plotly knows, those that this part of it draws. */
const DRAWN: ReadonlySet<string> = new Set([
  ...['scatter', 'bar', 'box', 'heatmap', 'histogram', 'histogram2d', 'histogram2dcontour'],
  ...['contour', 'scatterternary', 'violin', 'pie', 'image'],
]);
/** Drawn on the graphics card, which another trace shows as well. */
const SAME_AS: Readonly<Record<string, string>> = { scattergl: 'scatter', heatmapgl: 'heatmap' };

const DARK_AXIS = { gridcolor: '#30363d', zerolinecolor: '#6e7681', linecolor: '#6e7681' };
/** In place of a chart's own template, whose colors are meant for paper. */
const DARK = { layout: { font: { color: '#c9d1d9' }, xaxis: DARK_AXIS, yaxis: DARK_AXIS } };

serveFrame(async (target, { spec, dark }) => {
  const { data, layout }: { data?: unknown; layout?: unknown } = Object(spec);
  if (!Array.isArray(data)) throw new Error('it has no list "data"');
  const traces = data.map((trace: unknown) => {
    const { type = 'scatter' }: { type?: unknown } = Object(trace);
    const drawn = SAME_AS[String(type)] ?? String(type);
    if (!DRAWN.has(drawn)) throw new Error(`traces of the type "${drawn}" are not drawn here`);
    return { ...Object(trace), type: drawn };
  });
  const paper = { paper_bgcolor: 'rgba(0,0,0,0)', plot_bgcolor: 'rgba(0,0,0,0)' };
  // a picture would have to be fetched
  const { images: _, width: __, ...own } = Object(layout);
  const buttons = ['toImage', 'sendDataToCloud'];
  const config = { displaylogo: false, responsive: true, modeBarButtonsToRemove: buttons, staticPlot: false };
  await Plotly.react(target, traces, { ...own, ...paper, ...(dark ? { template: DARK } : {}) }, config);
});
