import { LATEST } from '#src/base/contracts/registry.ts';
import { badInput } from '#src/base/contracts/errors.ts';
import { checkedName } from '#src/base/contracts/runFields.ts';

const MOST_TAGS = 100;
const LONGEST_KEY = 250;
const LONGEST_VALUE = 5_000;
const LONGEST_DESCRIPTION = 100_000;
const MOST_ALIASES = 50;

/** A name without blanks around it. @throws WarrenError BAD_INPUT for one that no reference could name. */
export function checkedEntryName(name: string, path: string): string {
  const checked = checkedName(name, path);
  if (/[/:@\p{Cc}]/u.test(checked)) {
    throw badInput(`${path}: a name has no "/", ":", "@" or control characters, received "${checked}"`, path);
  }
  return checked;
}

/** @throws WarrenError BAD_INPUT for an alias that cannot be. */
export function checkedAlias(alias: string, path: string): string {
  const checked = alias.trim();
  if (!/^[\w-]{1,255}$/.test(checked)) {
    const shown = checked.slice(0, 50);
    throw badInput(`${path}: an alias has letters, digits, "_" and "-" alone, 255 at most; received "${shown}"`, path);
  }
  if (checked.toLowerCase() === LATEST)
    throw badInput(`${path}: "${LATEST}" always is the newest version; choose another alias`, path);
  if (/^v?\d+$/i.test(checked))
    throw badInput(`${path}: "${checked}" would be taken for the number of a version`, path);
  return checked;
}

/** Aliases, each once. @throws WarrenError BAD_INPUT. */
export function checkedAliases(aliases: readonly string[], path: string): string[] {
  if (aliases.length > MOST_ALIASES) {
    throw badInput(`${path}: at most ${MOST_ALIASES} at a time, received ${aliases.length}`, path);
  }
  return [...new Set(aliases.map((alias, index) => checkedAlias(alias, `${path}[${index}]`)))];
}

/** @throws WarrenError BAD_INPUT. */
export function checkedDescription(text: string): string {
  if (text.length <= LONGEST_DESCRIPTION) return text;
  const most = LONGEST_DESCRIPTION.toLocaleString('en');
  throw badInput(`description: at most ${most} characters, received ${text.length}`, 'description');
}

export interface TagChange {
  key: string;
  /** Null, or left out, removes the tag. */
  value?: string | null | undefined;
}

/** The tags after a change. @throws WarrenError BAD_INPUT for empty or long ones, or too many. */
export function changedTags(
  tags: Readonly<Record<string, string>>,
  changes: readonly TagChange[],
): Record<string, string> {
  const changed = new Map(Object.entries(tags));
  for (const [index, { key, value }] of changes.entries()) {
    const path = `tags[${index}]`;
    if (key.length === 0 || key.length > LONGEST_KEY) {
      throw badInput(`${path}.key: a key has 1 to ${LONGEST_KEY} characters, received ${key.length}`, path);
    }
    if (value == null) changed.delete(key);
    else if (value.length <= LONGEST_VALUE) changed.set(key, value);
    else {
      const most = LONGEST_VALUE.toLocaleString('en');
      throw badInput(`${path}.value: a value has at most ${most} characters, received ${value.length}`, path);
    }
  }
  if (changed.size > MOST_TAGS) throw badInput(`tags: at most ${MOST_TAGS}, received ${changed.size}`, 'tags');
  return Object.fromEntries(changed);
}
