import type { Cell, TableOrder } from './tableData.ts';

/** A table to be fetched, and what its run is called. */
export interface TableSource {
  url: string;
  label: string;
}

/** From the page to the thread that holds the table; each is answered under its number. */
export type TableRequest =
  | { id: number; type: 'load'; sources: TableSource[]; key: string | null }
  | { id: number; type: 'order'; order: TableOrder }
  | { id: number; type: 'rows'; from: number; to: number };

export type TableAnswer =
  | { id: number; type: 'loaded'; columns: string[]; numeric: boolean[]; rowCount: number }
  | { id: number; type: 'ordered'; rowCount: number }
  | { id: number; type: 'rows'; rows: Cell[][] }
  | { id: number; type: 'failed'; message: string };
