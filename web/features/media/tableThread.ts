import { joinTables, orderRows, parseTable, type TableData } from './tableData.ts';
import type { TableAnswer, TableRequest, TableSource } from './tableMessages.ts';

// Runs in a thread of its own: a hundred thousand rows are read, sorted and joined without the page standing still.

/** More is for downloading. */
const MOST_BYTES = 128 * 1024 * 1024;

let table: TableData = { columns: [], cells: [], rowCount: 0 };
let order: Int32Array = new Int32Array();

async function fetchTable({ url }: TableSource): Promise<TableData> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The table cannot be read (status ${response.status}); load the page again.`);
  const size = Number(response.headers.get('content-length') ?? 0);
  if (size > MOST_BYTES) throw new Error(`The table has ${Math.round(size / 1e6)} MB: download it instead.`);
  const text = await response.text();
  try {
    return parseTable(text);
  } catch (error) {
    throw new Error(`The table cannot be shown: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function answer(request: TableRequest): Promise<TableAnswer> {
  const { id } = request;
  switch (request.type) {
    case 'load': {
      const tables = await Promise.all(request.sources.map(fetchTable));
      const [first = { columns: [], cells: [], rowCount: 0 }, second] = tables;
      const labels: [string, string] = [request.sources[0]?.label ?? '', request.sources[1]?.label ?? ''];
      const joined = second !== undefined && request.key !== null;
      table = joined ? joinTables(first, second, request.key ?? '', labels) : first;
      order = orderRows(table, { column: null, descending: false, filter: '' });
      const numeric = table.cells.map((cells) => cells.every((cell) => cell === null || typeof cell === 'number'));
      return { id, type: 'loaded', columns: table.columns, numeric, rowCount: table.rowCount };
    }
    case 'order':
      order = orderRows(table, request.order);
      return { id, type: 'ordered', rowCount: order.length };
    case 'rows': {
      const rows = Array.from(order.subarray(request.from, request.to), (row) =>
        table.cells.map((cells) => cells[row] ?? null),
      );
      return { id, type: 'rows', rows };
    }
  }
}

self.onmessage = ({ data }: MessageEvent<TableRequest>) => {
  answer(data).then(
    (told) => self.postMessage(told),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const failed: TableAnswer = { id: data.id, type: 'failed', message };
      self.postMessage(failed);
    },
  );
};
