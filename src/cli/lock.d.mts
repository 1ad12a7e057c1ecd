export function withLock<Result>(folder: string, work: () => Promise<Result>): Promise<Result>;
