// The cross-entropy over all items. Read by TypeScript and by AssemblyScript alike: only integer constants may stand here.

/** Items whose rows are packed together for the gradient in the states. */
export const ITEM_CHUNK = 256;
