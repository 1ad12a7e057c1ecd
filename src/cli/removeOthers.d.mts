export function removeOthers(folder: string, kept: readonly string[]): void;
