import { parseHTML } from 'linkedom';
import tokens from '../app/styles/tokens.css?raw';
import type { ReportToWrite } from './reportToWrite.ts';

const PAGE = '<!doctype html><html data-theme="light"><head></head><body><div id="root"></div></body></html>';

/**
 * Gives this process what a page of the dashboard finds in a browser, as far as one that is only read needs it: a document, its
 * own address below `url`, and the light theme. Nothing is painted, and nothing is followed while it changes.
 */
function openPageEnvironment(url: string): void {
  const place = url.replace(/\/$/, '');
  const { document, DOMParser, HTMLElement, HTMLIFrameElement, Element, Node } = parseHTML(PAGE);
  const location = new URL(`${place}/`);
  const fetchFromServer = globalThis.fetch;
  const values = {
    ...{ window: globalThis, self: globalThis, addEventListener() {}, removeEventListener() {} },
    ...{ document, DOMParser, HTMLElement, HTMLIFrameElement, Element, Node, location },
    fetch: (path: string, init?: RequestInit) => fetchFromServer(`${place}${path}`, init),
    getComputedStyle: () => ({ fontFamily: tokenOf('--font'), getPropertyValue: tokenOf }),
    matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
    requestAnimationFrame: (frame: () => void) => setTimeout(frame, 0),
    cancelAnimationFrame: (frame: ReturnType<typeof setTimeout>) => clearTimeout(frame),
    ...{ ResizeObserver: Unobserved, IntersectionObserver: Unobserved, WebSocket: Unopened },
  };
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
}

/** A value of the visual system in the light theme. */
function tokenOf(name: string): string {
  return lightTokens.get(name) ?? '';
}

const [light = ''] = tokens.split('[data-theme="dark"]');
const lightTokens = new Map(
  [...light.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.trim()]),
);

class Unobserved {
  observe(): void {}
  disconnect(): void {}
}

/** A connection that never opens. */
class Unopened extends EventTarget {
  close(): void {}
}

/**
 * A report as one file of HTML, by the same components as the dashboard's: what its **Export** writes, without a browser. To be
 * called once in a process, which has the globals of a page from then on.
 * @throws Error where the report or what it shows cannot be read.
 */
export async function reportPage(report: ReportToWrite): Promise<string> {
  openPageEnvironment(report.url);
  // what the components import looks for a page as soon as it is loaded
  const { writeReport } = await import('./writeReport.tsx');
  return await writeReport(report);
}
