import { useCallback, useState } from 'react';
import { useMayWrite } from '#web/features/administration/useServer.ts';

/** What of a run can be changed in the table. */
export type EditedField = 'name' | 'tags' | 'notes';

export function isEdited(column: string): column is EditedField {
  return column === 'name' || column === 'tags' || column === 'notes';
}

export interface RowEditing {
  /** The field that is being edited; null: none. */
  current: { runId: string; field: EditedField } | null;
  /** Begins with a field of a run, or with null ends; null for who may only read. */
  begin: BeginEditing | null;
}

export type BeginEditing = (runId: string | null, field: EditedField) => void;

/** Which field of which run is being edited: one at a time. */
export function useRowEditing(): RowEditing {
  const [current, setCurrent] = useState<RowEditing['current']>(null);
  const begin = useCallback((runId: string | null, field: EditedField) => {
    setCurrent(runId === null ? null : { runId, field });
  }, []);
  return { current, begin: useMayWrite() ? begin : null };
}
