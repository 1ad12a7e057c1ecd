import { connection } from '#web/api/connection.ts';
import { queryClient } from '#web/api/queryClient.ts';
import { plotSvg } from '#web/charts/plot/pictureFile.ts';
import { formatDateTime } from '#web/lib/formatTime.ts';
import { escapeXml } from '#web/lib/escapeXml.ts';
import { pictureIn } from './figurePictures.ts';
import styles from './reportFile.css?raw';
import './reportFile.css';

/** Attributes that mean nothing, or act, outside of the page. */
const KEPT_ATTRIBUTES = new Set([
  ...['class', 'href', 'title', 'scope', 'colspan', 'rowspan', 'style', 'role', 'aria-label', 'aria-hidden'],
  ...['d', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'r', 'width', 'height', 'viewbox', 'fill', 'stroke'],
  ...['stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity', 'transform', 'points'],
]);
const DROPPED =
  'button, input, select, textarea, script, style, iframe, object, embed, .legend-rest, .panel-tip, .line-cursor, .panel-notes';
/** The width of a page of paper, about, in pixels. */
const FIGURE_WIDTH = 860;
/** By the height that a block asks for, in pixels: as on the page. */
const FIGURE_HEIGHTS: Readonly<Record<string, number>> = { 1: 280, 2: 420, 3: 560 };

/**
 * The report as it stands on the page, for a file or paper: figures as SVG, tables and words as they are, nothing that acts, in
 * the light theme.
 */
export function staticReport(article: HTMLElement): HTMLElement {
  const copy = article.cloneNode(true) as HTMLElement;
  const plots = [...article.querySelectorAll('.report-plot')];
  inLightTheme(() => {
    for (const [index, place] of [...copy.querySelectorAll('.report-plot')].entries()) {
      const picture = pictureIn(plots[index]!);
      const canvas = plots[index]!.querySelector('canvas');
      if (picture === null || canvas === null) continue;
      const size = { width: FIGURE_WIDTH, height: FIGURE_HEIGHTS[place.getAttribute('data-height') ?? 1] ?? 280 };
      const label = canvas.getAttribute('aria-label') ?? '';
      const drawn = plotSvg((area) => picture.draw(area, 'light'), size, `figure${index}-`);
      const svg = new DOMParser().parseFromString(drawn, 'image/svg+xml').documentElement;
      svg.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
      svg.setAttribute('role', 'img');
      svg.setAttribute('aria-label', label);
      const figure = document.createElement('div');
      figure.className = 'report-drawing';
      figure.append(svg);
      place.replaceWith(figure);
    }
  });
  for (const element of copy.querySelectorAll(DROPPED)) element.remove();
  // “5 minutes ago” is not so any more when it is read
  for (const time of copy.querySelectorAll('time[title]')) time.textContent = time.getAttribute('title');
  const note = document.createElement('p');
  note.className = 'muted report-note';
  note.textContent = `Figures and numbers as of ${formatDateTime(new Date())}.`;
  copy.querySelector('header')?.append(note);
  for (const element of [copy, ...copy.querySelectorAll('*')]) clean(element);
  copy.classList.add('report-file');
  return copy;
}

/** Does something while the page has the light theme: no frame is drawn in between. */
function inLightTheme<Result>(work: () => Result): Result {
  const { dataset } = document.documentElement;
  const theme = dataset.theme;
  dataset.theme = 'light';
  try {
    return work();
  } finally {
    if (theme !== undefined) dataset.theme = theme;
  }
}

/** The values of the visual system that a text of styles or HTML names. */
function tokensIn(text: string): string {
  const names = new Set([...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name = '']) => name));
  const values = inLightTheme(() => {
    const style = getComputedStyle(document.documentElement);
    return [...names].map((name) => `${name}: ${style.getPropertyValue(name).trim()};`);
  });
  return `:root { color-scheme: light; ${values.join(' ')} }\n`;
}

function clean(element: Element): void {
  const isDrawing = element.closest('.report-drawing') !== null;
  for (const { name } of [...element.attributes]) {
    if (!isDrawing && !KEPT_ATTRIBUTES.has(name.toLowerCase())) element.removeAttribute(name);
  }
  const href = element.getAttribute('href');
  if (href !== null) element.setAttribute('href', new URL(href, location.href).href);
}

/** The report as one file that needs nothing else: no script, no other file. */
export function htmlFile(article: HTMLElement, title: string): string {
  const body = staticReport(article).outerHTML;
  const policy = "default-src 'none'; style-src 'unsafe-inline'";
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<title>${escapeXml(title)}</title>`,
    `<style>${tokensIn(styles + body)}${styles}</style>`,
    '</head>',
    `<body>${body}</body>`,
    '</html>\n',
  ].join('\n');
}

const PATIENCE_MS = 120_000;
const LOOK_MS = 20;
/** What is on its way asks for more when it comes, and curves gather their questions for a moment: all has to be still for so long. */
const STILL_MS = 200;

/**
 * Waits until every figure of a report has what it shows.
 * @param article The report; null while the page is not drawn.
 * @throws Error where that takes too long, or the API goes away meanwhile.
 */
export async function settledReport(article: () => HTMLElement | null): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  for (let still = 0; still < STILL_MS; ) {
    if (connection.get() === 'away') throw new Error('the API went away while the report was read');
    if (performance.now() > end) throw new Error('some of its figures did not come within two minutes');
    const element = article();
    still = element !== null && isSettled(element) ? still + LOOK_MS : 0;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Whether nothing says that it waits, and no question is open whose first answer has not come. */
function isSettled(article: HTMLElement): boolean {
  const open = queryClient.isFetching({ predicate: ({ state }) => state.data === undefined });
  return open === 0 && article.querySelector('[data-pending], .panel-waiting') === null;
}
