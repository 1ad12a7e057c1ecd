const PREFIX = 'The code of the page did not come: ';
/** What browsers and the bundler say when a part of the dashboard cannot be read. */
const SAID = /dynamically imported module|Importing a module script failed|Unable to preload CSS/i;

/** Loads a part of the dashboard. The router would load the whole page anew where it fails, from a server that may not be there. */
export function part<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      return await load();
    } catch (error) {
      throw new Error(`${PREFIX}${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  };
}

/** Whether a part of the dashboard did not come: the server is away, or has a newer dashboard. */
export function isLoadFailure(error: unknown): boolean {
  return error instanceof Error && (error.message.startsWith(PREFIX) || SAID.test(error.message));
}
