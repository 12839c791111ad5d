import { useRef, useState } from 'react';
import { companies, forwarding, teams as teamsContract } from '#contract';
import { Hidden, lazyComponent, t, useApiQuery } from '#ui';
import { DestinationRow } from './DestinationRow.tsx';
import { isPhone, moveItem, type DraftForward } from './draft.ts';
import type { DraftForm } from './draft.ts';
import css from './RouteEditor.module.css';

const AddDestination = lazyComponent(
  async () => (await import('./AddDestination.tsx')).AddDestination,
);

interface DestinationsProps {
  form: DraftForm;
  index: number;
  mayEdit: boolean;
}

/** People, teams and saved forwarding numbers that can be rung. */
function useRingable() {
  const users = useApiQuery(
    companies.listCompanyUsers,
    { query: { perPage: 250, status: 'active' } },
    { silent: true },
  );
  const saved = useApiQuery(
    forwarding.listForwardContacts,
    { query: { perPage: 250 } },
    { silent: true, staleTime: 30_000 },
  );
  const ofTeams = useApiQuery(
    teamsContract.listTeams,
    { params: { companyId: ':companyId' } },
    { silent: true, staleTime: 30_000 },
  );
  const teams = ofTeams.response?.data ?? [];
  const people = (users.response?.data ?? []).map((one) => ({
    id: one.id,
    name: `${one.first_name} ${one.last_name}`.trim() || one.email,
  }));
  const contacts = saved.response?.data ?? [];
  const nameOf = ({ contact_id, user_id, team_id, label, number }: DraftForward): string => {
    if (contact_id !== null) {
      const contact = contacts.find((one) => one.id === contact_id);
      return label || (contact?.name ?? t('Forwarding number'));
    }
    if (team_id !== null) return teams.find((one) => one.id === team_id)?.name ?? label;
    if (user_id === null) return label || number || t('New phone');
    return people.find((person) => person.id === user_id)?.name ?? t('Someone');
  };
  return { people, teams, contacts, nameOf };
}

/** Who is rung, in order. Rows move with their buttons, or with Alt and an arrow key from anywhere in the row. */
export function Destinations({ form, index, mayEdit }: DestinationsProps) {
  const { nameOf, ...choices } = useRingable();
  const [announcement, setAnnouncement] = useState('');
  const list = useRef<HTMLOListElement>(null);
  const route = form.values.routes[index];
  if (!route) return null;
  const { forwards } = route;
  const at = `routes.${index}.forwards` as const;
  const set = (rows: DraftForward[]): void => form.setFieldValue(at, rows);

  const move = (from: number, to: number, focus: 'up' | 'down' | null): void => {
    const row = forwards[from];
    if (!row || to < 0 || to >= forwards.length) return;
    set(moveItem(forwards, from, to));
    const name = nameOf(row);
    setAnnouncement(t('{name} is now {n} of {total}', { name, n: to + 1, total: forwards.length }));
    // Once the row has moved, its button keeps the focus.
    const button = `li:nth-child(${to + 1}) [data-move='${focus}']`;
    if (focus) setTimeout(() => list.current?.querySelector<HTMLButtonElement>(button)?.focus(), 0);
  };
  const add = (forward: DraftForward): void => {
    set([...forwards, forward]);
    const input = 'li:last-child input';
    if (isPhone(forward))
      setTimeout(() => list.current?.querySelector<HTMLInputElement>(input)?.focus(), 0);
  };
  return (
    <div>
      <Hidden>
        <span aria-live="polite">{announcement}</span>
      </Hidden>
      <ol className={css.rows} ref={list} aria-label={t('Destinations')}>
        {forwards.map((forward, i) => (
          <DestinationRow
            key={forward.key}
            form={form}
            path={`${at}.${i}`}
            route={route}
            forward={forward}
            name={nameOf(forward)}
            index={i}
            mayEdit={mayEdit}
            onMove={(by, focus) => move(i, i + by, focus)}
            onRemove={() => set(forwards.filter((_, j) => j !== i))}
          />
        ))}
      </ol>
      {mayEdit && <AddDestination route={route} {...choices} onAdd={add} />}
      {form.errors[at] && (
        <p className={css.quiet} role="alert">
          {form.errors[at]}
        </p>
      )}
    </div>
  );
}
