import { useState } from 'react';
import { type SavedView, useDeleteView, useSaveView, useSetDefaultView } from './useViews.ts';
import { useMayWrite } from '#web/features/administration/useServer.ts';
import { Button } from '#web/components/Button.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Popover } from '#web/components/Popover.tsx';
import { Tag } from '#web/components/Tag.tsx';
import { showToast } from '#web/components/toasts.ts';
import { settingsOfLook } from './tableLook.ts';
import type { TableLookState } from './useTableLook.ts';
import './viewsMenu.css';

export interface ViewsMenuProps {
  table: TableLookState;
  /** The columns that the table shows. */
  columns: readonly string[];
}

/** The saved views of the project: to choose, and for writers to save, rename, delete. */
export function ViewsMenu({ table, columns }: ViewsMenuProps) {
  const { view, differences } = table;
  return (
    <div className="row views">
      <Popover label={view === null ? 'Views' : `View: ${view.name}`} title="Views">
        <ViewsPanel table={table} columns={columns} />
      </Popover>
      {view !== null && differences.length > 0 && <ChangedView table={table} columns={columns} view={view} />}
    </div>
  );
}

/** Says that the table differs from its view, and what can be done about it. */
function ChangedView({ table, columns, view }: ViewsMenuProps & { view: SavedView }) {
  const save = useSaveView();
  const mayWrite = useMayWrite();
  const store = async () => {
    // not a callback of `mutate`: this is gone as soon as the view is as the table
    const saved = await save
      .mutateAsync({ id: view.id, settings: settingsOfLook(table.look, columns) })
      .catch((error: Error) => showToast(error.message, { error: true }));
    if (saved === undefined) return;
    table.choose(saved);
    showToast(`View ${saved.name} saved.`, { action: { label: 'Undo', run: () => save.mutate(viewBefore(view)) } });
  };
  return (
    <>
      <span className="muted" role="status">
        changed: {table.differences.join(', ')}
      </span>
      {mayWrite && (
        <Button disabled={save.isPending} onClick={() => void store()}>
          Save
        </Button>
      )}
      <Button look="quiet" onClick={() => table.choose(view)}>
        Revert
      </Button>
    </>
  );
}

function viewBefore({ id, settings }: SavedView) {
  return { id, settings };
}

function ViewsPanel({ table, columns }: ViewsMenuProps) {
  const { views, view, project } = table;
  const mayWrite = useMayWrite();
  const save = useSaveView();
  const remove = useDeleteView();
  const makeDefault = useSetDefaultView();
  const error = save.error ?? remove.error ?? makeDefault.error;
  const removeView = async ({ id, name, settings }: SavedView) => {
    // not a callback of `mutate`: none is called once the panel is closed
    const removed = await remove.mutateAsync(id).catch(() => null);
    if (removed === null || project === null) return;
    table.choose(null);
    const again = { project, name, settings };
    showToast(`View ${name} deleted.`, { action: { label: 'Undo', run: () => save.mutate(again) } });
  };
  const saveAs = async (name: string) => {
    if (project === null) return;
    const saved = await save
      .mutateAsync({ project, name, settings: settingsOfLook(table.look, columns) })
      .catch(() => null);
    if (saved !== null) table.choose(saved);
  };
  if (project === null) {
    return (
      <p className="views-panel muted">Views belong to a project: choose one, and its saved views are listed here.</p>
    );
  }
  return (
    <div className="views-panel">
      <ul className="views-list" aria-label="Saved views">
        <li>
          <Choice name="Nothing set" chosen={view === null} onChoose={() => table.choose(null)} />
        </li>
        {views.map((one) => (
          <li key={one.id}>
            <Choice name={one.name} chosen={one.id === view?.id} onChoose={() => table.choose(one)} />
            {one.isDefault && <Tag text="default" />}
          </li>
        ))}
      </ul>
      {mayWrite && view !== null && (
        <div className="row">
          <Button
            onClick={() => makeDefault.mutate({ id: view.id, isDefault: !view.isDefault })}
            disabled={makeDefault.isPending}
          >
            {view.isDefault ? 'No longer default' : 'Make default'}
          </Button>
          <Button look="danger" disabled={remove.isPending} onClick={() => void removeView(view)}>
            Delete
          </Button>
        </div>
      )}
      {mayWrite && view !== null && (
        <NameForm
          key={view.id}
          label="Name of the view"
          action="Rename"
          first={view.name}
          pending={save.isPending}
          onSubmit={(name) => save.mutate({ id: view.id, name })}
        />
      )}
      {mayWrite && (
        <NameForm
          label="Name of a new view"
          action="Save as"
          first=""
          pending={save.isPending}
          onSubmit={(name) => void saveAs(name)}
        />
      )}
      {error !== null && <ErrorNotice title="The view stays as it was." error={error} />}
      {!mayWrite && <p className="muted">Saving needs a token that may write.</p>}
    </div>
  );
}

function Choice({ name, chosen, onChoose }: { name: string; chosen: boolean; onChoose(): void }) {
  return (
    <button type="button" className="views-choice" aria-pressed={chosen} onClick={onChoose}>
      {name}
    </button>
  );
}

interface NameFormProps {
  label: string;
  action: string;
  first: string;
  pending: boolean;
  onSubmit(name: string): void;
}

function NameForm({ label, action, first, pending, onSubmit }: NameFormProps) {
  const [name, setName] = useState(first);
  return (
    <form
      className="views-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(name.trim());
      }}
    >
      <input
        className="input"
        aria-label={label}
        placeholder={label}
        required
        maxLength={200}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" disabled={pending || name.trim() === '' || name.trim() === first}>
        {action}
      </Button>
    </form>
  );
}
