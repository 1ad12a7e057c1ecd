export function packageFolders(files: Iterable<string>): string[];
export function licensesText(root: string, folders: readonly string[]): string;
