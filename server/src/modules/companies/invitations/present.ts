import { invitations as contract, type Answer } from '#contract';
import type { Tx } from '../../../platform/db.ts';
import { companiesByIds, numbersOf } from '../store.ts';
import { peopleNames, type InvitationRow } from './store.ts';

export type PresentedInvitation = Answer<typeof contract.invitePerson>['data'];

/** Invitations as the API returns them. `db`: the system's, since they may name several companies. */
export async function presentInvitations(
  db: Tx,
  rows: readonly InvitationRow[],
  now: Date,
): Promise<PresentedInvitation[]> {
  const companies = new Map(
    (await companiesByIds(db, [...new Set(rows.flatMap((r) => r.company_ids.map(Number)))])).map(
      (c) => [c.id, c.name],
    ),
  );
  const limited = new Set(rows.filter((r) => r.number_ids.length).map((r) => r.company_id));
  const numbers = new Map<number, string>();
  for (const companyId of limited)
    for (const { id, number } of await numbersOf(db, companyId)) numbers.set(id, number);
  const people = await peopleNames(db, [...new Set(rows.map((r) => r.invited_by))]);
  return rows.map((row) => presentOne(row, { companies, numbers, people }, now));
}

function presentOne(
  row: InvitationRow,
  names: Record<'companies' | 'numbers' | 'people', ReadonlyMap<number, string>>,
  now: Date,
): PresentedInvitation {
  const named = (ids: readonly number[], known: ReadonlyMap<number, string>) =>
    ids.map(Number).flatMap((id) => {
      const name = known.get(id);
      return name === undefined ? [] : [{ id, name }];
    });
  return {
    id: row.id,
    email: row.email,
    first_name: row.first_name,
    last_name: row.last_name,
    role: row.role as PresentedInvitation['role'],
    status: contract.invitationStatus(row, now),
    is_org_administrator: row.is_org_administrator,
    invited_by: { id: row.invited_by, name: names.people.get(row.invited_by) ?? '' },
    companies: named(row.company_ids, names.companies),
    numbers: named(row.number_ids, names.numbers).map(({ id, name }) => ({ id, number: name })),
    message: row.message,
    sent_at: row.sent_at.toISOString(),
    resent_count: row.resent_count,
    expires_at: row.expires_at.toISOString(),
    accepted_at: row.accepted_at && row.accepted_at.toISOString(),
    revoked_because: row.revoked_because as PresentedInvitation['revoked_because'],
    link: null,
  };
}
