/** Keys of the calls of a form: the API makes what a call asks for once. */
export interface ActionKeys {
  /** The key of a call: the same for the same input, until it has succeeded. So it is made once however often it is sent again. */
  of(input: unknown): string;
  /** The call has succeeded: the same input is another call from now on. */
  done(): void;
}

export function createActionKeys(random: () => string = randomKey): ActionKeys {
  let last: { content: string; key: string } | null = null;
  return {
    of(input) {
      const content = JSON.stringify(input);
      if (last?.content !== content) last = { content, key: random() };
      return last.key;
    },
    done() {
      last = null;
    },
  };
}

/** `crypto.randomUUID` is there on pages of https alone. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
