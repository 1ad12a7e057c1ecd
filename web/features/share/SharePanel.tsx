import { type FormEvent, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  CreateShareLinkDocument,
  type ShareLinkInput,
  ShareLinksDocument,
  WithdrawShareLinkDocument,
} from '#web/generated/graphql.ts';
import { request } from '#web/api/request.ts';
import { Button } from '#web/components/Button.tsx';
import { copyText } from '#web/components/copyText.ts';
import { ErrorNotice } from '#web/components/ErrorNotice.tsx';
import { Field } from '#web/components/Field.tsx';
import { SelectField } from '#web/components/SelectField.tsx';
import type { SharedThing } from './sharedThing.ts';

/** The links that the caller may withdraw; the newest first. */
function useShareLinks(project: string | null) {
  return useQuery({
    queryKey: ['share links', project],
    queryFn: async ({ signal }) => (await request(ShareLinksDocument, { project }, signal)).shareLinks,
  });
}

/** Makes a link; its secret is in this answer alone. */
function useCreateShareLink() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: ShareLinkInput) => (await request(CreateShareLinkDocument, { input })).createShareLink,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['share links'] }),
  });
}

function useWithdrawShareLink() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => (await request(WithdrawShareLinkDocument, { id })).withdrawShareLink,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['share links'] }),
  });
}

const DAY_MS = 24 * 3600 * 1000;
const SPANS: readonly (readonly [days: string, title: string])[] = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['365', 'a year'],
  ['0', 'until it is withdrawn'],
];

/** Makes a link, shows it once, and lists those that there are, to be withdrawn. */
export function SharePanel({ runs, report, project, filter }: SharedThing) {
  const [title, setTitle] = useState('');
  const [days, setDays] = useState(30);
  const [withProgram, setWithProgram] = useState(false);
  const [address, setAddress] = useState<string | null>(null);
  const create = useCreateShareLink();
  const make = async (event: FormEvent) => {
    event.preventDefault();
    const expiresAt = days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString();
    const input = {
      ...{ title, expiresAt, withProgram, search: location.search.slice(1) },
      ...(report !== undefined
        ? { report }
        : runs === undefined
          ? { project: project ?? null, filter: filter ?? '' }
          : { runs: [...runs] }),
    };
    const made = await create.mutateAsync(input).catch(() => null);
    if (made !== null) setAddress(new URL(made.address, location.origin).href);
  };
  return (
    <div className="popover-body">
      <p className="muted">Whoever has the link sees this, and nothing else. It changes nothing, and needs no token.</p>
      <form className="stack" onSubmit={(event) => void make(event)}>
        <Field label="Title">
          <input className="input" maxLength={200} value={title} onChange={(event) => setTitle(event.target.value)} />
        </Field>
        <SelectField
          label="Holds for"
          value={String(days)}
          options={SPANS}
          onChoose={(chosen) => setDays(Number(chosen))}
        />
        <label className="check">
          <input type="checkbox" checked={withProgram} onChange={({ target }) => setWithProgram(target.checked)} />
          Also show what programs are and where they ran: code, command, host, packages
        </label>
        <Button type="submit" look="primary" disabled={create.isPending}>
          Make a link
        </Button>
      </form>
      {create.error !== null && <ErrorNotice title="No link was made." error={create.error} />}
      {address !== null && <MadeLink address={address} />}
      <Links project={project ?? null} />
    </div>
  );
}

function MadeLink({ address }: { address: string }) {
  return (
    <div className="stack" role="status">
      <Field label="The link; it is shown this once">
        <input className="input mono" readOnly value={address} onFocus={(event) => event.target.select()} />
      </Field>
      <Button onClick={() => void copyText(address, 'The link is copied.')}>Copy</Button>
    </div>
  );
}

function Links({ project }: { project: string | null }) {
  const { data = [] } = useShareLinks(project);
  const withdraw = useWithdrawShareLink();
  const now = new Date();
  const holding = data.filter(
    ({ withdrawnAt, expiresAt }) => withdrawnAt === null && (expiresAt === null || new Date(expiresAt) > now),
  );
  if (holding.length === 0) return null;
  return (
    <section className="stack" aria-label="Links that hold">
      <p className="field-label">Links that hold</p>
      {holding.map((link) => (
        <div className="row" key={link.id}>
          <span>
            {link.title}{' '}
            <span className="muted">
              by {link.madeBy}, {link.expiresAt === null ? 'without an end' : `until ${link.expiresAt.slice(0, 10)}`}
            </span>
          </span>
          <Button
            look="danger"
            disabled={withdraw.isPending}
            aria-label={`Withdraw ${link.title}`}
            onClick={() => withdraw.mutate(link.id)}
          >
            Withdraw
          </Button>
        </div>
      ))}
    </section>
  );
}
