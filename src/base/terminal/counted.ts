/** A number with what it counts: "1 run", "3 runs". */
export function counted(count: number, singular: string): string {
  return `${count} ${singular}${count === 1 ? '' : 's'}`;
}
