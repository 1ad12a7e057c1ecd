const endings: (() => unknown)[] = [];

/** Has `ending` done after all tests of this file, the latest first. It may be called in a test, other than `afterAll`. */
export function atEndOfFile(ending: () => unknown): void {
  endings.push(ending);
}

/** Does what the file has left to be done; throws the first failure after all of it. */
export async function endFile(): Promise<void> {
  const failures: unknown[] = [];
  for (let ending = endings.pop(); ending !== undefined; ending = endings.pop()) {
    try {
      await ending();
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  if (failures.length > 0) throw failures[0];
}
