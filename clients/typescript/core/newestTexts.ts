import { textsOf } from './values.ts';

/** Leaves out of what is logged the texts that are as they were: a text stands until the next one. */
export function newestTexts(): (others: Map<string, unknown>, step: number) => void {
  const texts = new Map<string, { text: string; since: number }>();
  return (others, step) => {
    for (const [name, text] of Object.entries(textsOf(others))) {
      const known = texts.get(name);
      if (known !== undefined && step < known.since) continue;
      if (known?.text === text) others.delete(name);
      else texts.set(name, { text, since: step });
    }
  };
}
