/** What the registry keeps versions of. */
export const REGISTRY_TYPES = ['model', 'dataset'] as const;
export type RegistryType = (typeof REGISTRY_TYPES)[number];

/** MLflow's stages of a version. */
export const REGISTRY_STAGES = ['None', 'Staging', 'Production', 'Archived'] as const;
export type RegistryStage = (typeof REGISTRY_STAGES)[number];

/** Whether a version can be used yet: MLflow's clients register some before their files have come. */
export const VERSION_STATES = ['READY', 'PENDING', 'FAILED'] as const;
export type VersionState = (typeof VERSION_STATES)[number];

const PROMPT_TAG = 'mlflow.prompt.is_prompt';

/** Whether something with these tags is a prompt of MLflow rather than a model. */
export function isPrompt(tags: Readonly<Record<string, string>>): boolean {
  return tags[PROMPT_TAG]?.toLowerCase() === 'true';
}

/** The alias that always means the newest version, so that nobody may set it. */
export const LATEST = 'latest';

/** A version as people write it: its entry, which one, and a file in it where one is meant. */
export interface VersionReference {
  name: string;
  /** Its number, or an alias; `latest` is the newest. */
  version: { number: number } | { alias: string };
  /** Null for all its files, or its only one. */
  file: string | null;
}

const BY_ALIAS = /^([^/:]+)@([\w-]{1,255})(?:\/(.+))?$/;
const BY_NUMBER = /^([^/:]+):(?:v?(\d{1,9})|([\w-]{1,255}))(?:\/(.+))?$/;

/**
 * Reads `NAME@ALIAS`, `NAME:3`, `NAME:v3`, `NAME:latest` or `NAME:ALIAS`, each with a `/FILE` where one file is meant; null
 * where it is none of these.
 */
export function parseVersionReference(text: string): VersionReference | null {
  const byAlias = BY_ALIAS.exec(text);
  if (byAlias !== null) {
    const [, name = '', alias = '', file = null] = byAlias;
    return { name, version: { alias }, file };
  }
  const byNumber = BY_NUMBER.exec(text);
  if (byNumber === null) return null;
  const [, name = '', number, alias = '', file = null] = byNumber;
  return { name, version: number === undefined ? { alias } : { number: Number(number) }, file };
}
