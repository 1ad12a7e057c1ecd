import { useState } from 'react';
import { Button } from '#web/components/Button.tsx';
import { MEASURES, readQuestion, START_QUESTION, USUAL_STEPS, type UserQuestion } from './userQuestion.ts';

export interface UserQuestionFormProps {
  /** What is answered now; null: something else. */
  asked: UserQuestion | null;
  onAsk(names: string[]): void;
}

/** Asks for a metric at any cut-off and of any group of users, also where nobody logged it. */
export function UserQuestionForm({ asked, onAsk }: UserQuestionFormProps) {
  const [question, setQuestion] = useState<UserQuestion>(asked ?? START_QUESTION);
  const [message, setMessage] = useState<string | null>(null);
  const change = (part: Partial<UserQuestion>) => setQuestion((before) => ({ ...before, ...part }));
  return (
    <form
      className="row panel-body user-question"
      aria-label="Metrics from the ranks of users"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const read = readQuestion(question);
        setMessage('message' in read ? read.message : null);
        if ('names' in read) onAsk(read.names);
      }}
    >
      <label className="row">
        Any metric
        <select
          className="input"
          value={question.measure}
          onChange={({ target }) => {
            const measure = MEASURES.find((one) => one === target.value);
            if (measure !== undefined) change({ measure });
          }}
        >
          {MEASURES.map((measure) => (
            <option key={measure}>{measure}</option>
          ))}
        </select>
      </label>
      <label className="row">
        at
        <input
          className="input user-cutoff"
          type="text"
          inputMode="numeric"
          aria-label="Cut-off"
          value={question.cutoff}
          onChange={({ target }) => change({ cutoff: target.value })}
        />
      </label>
      <label className="row">
        for
        <select
          className="input"
          aria-label="Groups of users"
          value={question.by}
          onChange={({ target }) => {
            const { value } = target;
            if (value === 'length' || value === 'popularity') change({ by: value, steps: USUAL_STEPS[value] });
            else change({ by: 'none', steps: '' });
          }}
        >
          <option value="none">all users</option>
          <option value="length">users by the length of their history</option>
          <option value="popularity">users by the popularity of their target</option>
        </select>
      </label>
      {question.by !== 'none' && (
        <label className="row">
          from
          <input
            className="input"
            type="text"
            aria-label="Where groups begin"
            value={question.steps}
            onChange={({ target }) => change({ steps: target.value })}
          />
        </label>
      )}
      <Button type="submit">Show</Button>
      {message !== null && (
        <span className="field-error" role="alert">
          {message}
        </span>
      )}
    </form>
  );
}
