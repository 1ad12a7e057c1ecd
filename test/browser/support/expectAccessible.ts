import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  help: string;
  nodes: { target: unknown[]; failureSummary?: string }[];
}

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Runs axe-core over the page by the rules of WCAG 2.2 AA and its best practices, and expects that it finds nothing.
 * @param rules the only rules to go by: for a page whose structure was looked at before.
 */
export async function expectAccessible(page: Page, what: string, rules?: readonly string[]): Promise<void> {
  // `evaluate` is not bound by the page's content security policy, a script tag would be.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  const runOnly = rules === undefined ? WCAG : { type: 'rule', values: rules };
  // what passes needs no account of its elements
  const resultTypes = ['violations'];
  // axe fetches and parses every style sheet for its one experimental rule, which none of these is
  const preload = { assets: ['media'] };
  const violations = await page.evaluate(
    async (options) => {
      const { axe } = globalThis as unknown as {
        axe: { run(options: unknown): Promise<{ violations: Violation[] }> };
      };
      return (await axe.run(options)).violations;
    },
    { runOnly, resultTypes, preload },
  );
  const told = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map((node) => `  ${node.target.join(' ')}: ${node.failureSummary}`).join('\n')}`,
  );
  expect(told, `axe on ${what}`).toEqual([]);
}
