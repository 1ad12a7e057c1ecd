/** Whether a process runs a program of this folder. */
export function isInUse(folder: string): boolean;
