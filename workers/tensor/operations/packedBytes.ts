/** Columns of one panel; the tile of the matrix product. */
const PANEL_COLUMNS = 8;

/** Bytes of a matrix (depth, columns) packed into whole panels by the kernel `packPanels`. */
export function packedBytes(depth: number, columns: number): number {
  return 4 * depth * Math.ceil(columns / PANEL_COLUMNS) * PANEL_COLUMNS;
}
