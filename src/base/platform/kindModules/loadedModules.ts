/** One module of WARREN_KINDS, as this process found it. */
export interface ModuleReport {
  /** As people know it: what stands in WARREN_KINDS, and within a folder the file. */
  module: string;
  /** Names of what it adds; presets of kinds that are not its own. */
  kinds: string[];
  presets: string[];
  datasets: string[];
  /** Why it could not be loaded; null when it is. */
  problem: string | null;
}

/** A module that could not be loaded, and why. */
export interface LeftOutModule {
  module: string;
  problem: string;
}

interface LoadedModules {
  reports: readonly ModuleReport[];
  /** Paths of the bundles of those that were loaded. */
  bundles: readonly string[];
}

let loaded: LoadedModules | null = null;

export function rememberModules(modules: LoadedModules): void {
  loaded = modules;
}

/** What the modules of WARREN_KINDS have added to this process, and which could not be loaded. */
export function moduleReports(): readonly ModuleReport[] {
  return loaded?.reports ?? [];
}

/** The modules that could not be loaded. */
export function leftOutModules(): LeftOutModule[] {
  return moduleReports().flatMap(({ module, problem }) => (problem === null ? [] : [{ module, problem }]));
}

/**
 * WARREN_KINDS for processes that this one starts to compute: the very code that it has loaded itself, so that an edit
 * reaches all of them together, at the next start. Undefined where it has loaded none.
 */
export function loadedBundles(): string | undefined {
  return loaded === null ? undefined : loaded.bundles.join(',');
}
