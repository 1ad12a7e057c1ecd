import { readFileSync } from 'node:fs';
import { z } from 'zod';
import * as definitionParts from '#src/catalog/modules/definitionParts.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { builtFile } from '#src/base/lib/projectRoot.ts';

// A module of WARREN_KINDS is bundled without Warren's own code: what it imports from `warren/kinds` are members of an
// object that the process which loads it lays down here.

const KEY = Symbol.for('warren.kinds');
/** The same object, in the bundle. */
export const PARTS_EXPRESSION = 'globalThis[Symbol.for("warren.kinds")]';

export type Parts = Readonly<Record<string, unknown>>;

/** The exports of `warren/kinds`, as the build has written them down. */
export function partNames(): string[] {
  return z.array(z.string()).parse(JSON.parse(readFileSync(builtFile('kind-parts.json'), 'utf8')));
}

/** Lets modules that are loaded from now on have these parts. */
export function layDownParts(parts: Parts): void {
  Reflect.set(globalThis, KEY, parts);
}

/** The parts of a process without numerics: those that define, and of each of the others a stand-in that says what it is. */
export function partsWithoutNumerics(): Parts {
  const standIns = partNames().map((name) => [name, standIn(name)] as const);
  return { ...Object.fromEntries(standIns), ...definitionParts };
}

/** It may be imported and passed on; whoever uses it while the module loads is told better. */
function standIn(name: string): unknown {
  const refuse = (): never => {
    throw badInput(`"${name}" of warren/kinds computes: use it in run, not while the module loads`);
  };
  return new Proxy(refuse, { apply: refuse, construct: refuse, get: refuse });
}
