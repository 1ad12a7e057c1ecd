import { useBlocker } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useRef, useState } from 'react';
import { LONGEST_REPORT } from '#src/base/contracts/report/readReport.ts';
import { ApiError } from '#web/api/apiError.ts';
import { readNewestVersion, type ReportDetails, type ReportRow, useSaveReport } from './useReports.ts';
import { Button } from '#web/components/Button.tsx';
import { Dialog } from '#web/components/Dialog.tsx';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Field } from '#web/components/Field.tsx';
import { ReportSource } from './ReportSource.tsx';
import { ReportText } from './ReportText.tsx';
import './reports.css';

export interface EditReportProps {
  /** Null: a new one. */
  report: Pick<ReportDetails, 'id' | 'number' | 'version'> | null;
  /** Name of its project; null: none was chosen yet. */
  project: string | null;
  /** Of a new report: which project it is about can be changed. */
  onProject?: (name: string) => void;
  /** Names that can be chosen. */
  projects?: readonly string[];
  initial: { title: string; text: string };
  onSaved(report: ReportRow): void;
  onCancel(): void;
}

/** Writes a report, with what it will look like beside the text. */
export function EditReport({ report, project, onProject, projects, initial, onSaved, onCancel }: EditReportProps) {
  const [title, setTitle] = useState(initial.title);
  const [text, setText] = useState(initial.text);
  // the report may be read anew while it is edited
  const [basedOn, setBasedOn] = useState(report?.version ?? null);
  const leaving = useRef(false);
  const shown = useDeferredValue(text);
  const save = useSaveReport();
  const dirty = title !== initial.title || text !== initial.text;
  const blocker = useBlocker({
    shouldBlockFn: () => dirty && !leaving.current,
    enableBeforeUnload: () => dirty && !leaving.current,
    withResolver: true,
  });
  const store = async (over: number | null) => {
    if (save.isPending || project === null) return;
    const input = report === null ? { project, title, text } : { id: report.id, title, text, basedOn: over ?? basedOn };
    const saved = await save.mutateAsync(input).catch(() => null);
    if (saved === null) return;
    leaving.current = true;
    onSaved(saved);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void store(null);
  };
  const conflict = save.error instanceof ApiError && save.error.code === 'CONFLICT' && report !== null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a key of the whole page
    <div className="page report-edit" onKeyDown={onKey}>
      <div className="row report-tools">
        <h1>{report === null ? 'New report' : `Edit report ${report.number}`}</h1>
        {onProject !== undefined && <ProjectChoice project={project} projects={projects ?? []} onProject={onProject} />}
        <span className="spread" />
        <Button
          look="primary"
          disabled={save.isPending || title.trim() === '' || project === null || (report !== null && !dirty)}
          onClick={() => void store(null)}
        >
          Save
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
      {save.error !== null && (
        <ErrorNotice title="The report was not saved." error={save.error}>
          {conflict && (
            <div className="row">
              <a href={`/reports/${report.number}`} target="_blank" rel="noreferrer">
                Look at the newest version
              </a>
              <Newest id={report.id} onVersion={setBasedOn} onOver={(version) => void store(version)} />
            </div>
          )}
        </ErrorNotice>
      )}
      <Field label="Title">
        <input
          className="input"
          maxLength={200}
          required
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
      </Field>
      <div className="report-sides">
        <ReportSource project={project} text={text} onText={setText} />
        <section className="report-preview panel" aria-label="Preview">
          {shown.trim() === '' && <p className="muted">What you write stands here as readers will see it.</p>}
          <ReportText text={shown.slice(0, LONGEST_REPORT)} project={project ?? ''} />
        </section>
      </div>
      {blocker.status === 'blocked' && <LeaveDialog onStay={blocker.reset} onLeave={blocker.proceed} />}
    </div>
  );
}

interface NewestProps {
  id: string;
  onVersion(version: number): void;
  onOver(version: number): void;
}

/** Saves over what somebody saved meanwhile: that stays among the versions. */
function Newest({ id, onVersion, onOver }: NewestProps) {
  const over = async () => {
    const version = await readNewestVersion(id).catch(() => null);
    if (version === null) return;
    onVersion(version);
    onOver(version);
  };
  return <Button onClick={() => void over()}>Save mine as a newer version</Button>;
}

interface ProjectChoiceProps {
  project: string | null;
  projects: readonly string[];
  onProject(name: string): void;
}

function ProjectChoice({ project, projects, onProject }: ProjectChoiceProps) {
  return (
    <label className="row">
      Project
      <select
        className="input"
        value={project ?? ''}
        onChange={(event) => onProject(event.target.value)}
        aria-label="Project"
      >
        {project === null && <option value="">choose one</option>}
        {projects.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function LeaveDialog({ onStay, onLeave }: { onStay(): void; onLeave(): void }) {
  return (
    <Dialog title="Leave without saving?" onClose={onStay}>
      <p>What you changed is lost then.</p>
      <div className="dialog-foot">
        <Button onClick={onStay}>Go on writing</Button>
        <Button look="danger" onClick={onLeave}>
          Leave
        </Button>
      </div>
    </Dialog>
  );
}
