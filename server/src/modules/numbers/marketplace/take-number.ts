import { formatMoney, marketplace as contract, numbers } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { refuse } from '../../../platform/refuse.ts';
import { installNumber } from '../install-number.ts';
import { lockNumber, unclaimNumber, updateNumberRow, type NumberRecord } from '../store.ts';
import { endOfTerm } from './end-lease.ts';
import { actingIn } from './in-company.ts';
import { called, dayInWords, mailLessee, mailLister } from './mail-listing.ts';
import { noteItem } from './note-item.ts';
import { declineTheRest, noReservation } from './reservation.ts';
import { offerById, updateItem, type ItemRecord } from './store.ts';

export interface Taken {
  number: string;
  type: 'lease' | 'assignment';
  monthly_cents: number;
  setup_cents: number;
  term_months: number | null;
  ends_at: Date | null;
}

/** What the reservation's accepted offer says, or the listing: price and shortest term. */
export async function agreedTerms(
  t: TxCtx,
  row: ItemRecord,
): Promise<{ monthly_cents: number; minimum_term_months: number }> {
  const offer =
    row.reserved_offer_id === null
      ? undefined
      : await offerById(t.tx, t.companyId, row.reserved_offer_id);
  return offer
    ? { monthly_cents: offer.amount_cents, minimum_term_months: offer.term_months }
    : row;
}

/**
 * The reserved number becomes one of the buyer's, by lease or for good, in this transaction: at every moment exactly one
 * company has it. Call in the lister's company with the listing locked; the reservation was looked at before.
 * Refuses `marketplace.taken` when the number is no longer there to be taken.
 */
export async function takeNumber(
  t: TxCtx,
  row: ItemRecord,
  buyer: { companyId: number; name: string; byLister?: boolean },
  months: number,
): Promise<Taken> {
  const assigned = row.pricing_type === 'assignment';
  const monthly_cents = assigned ? 0 : (await agreedTerms(t, row)).monthly_cents;
  const { setup_cents } = row;
  const ends_at = assigned ? null : endOfTerm(t.now, months);
  await declineTheRest(t, row);
  const own = row.number_id === null ? undefined : await passOn(t, row.number_id);
  await updateItem(t.tx, t.companyId, row.id, {
    ...noReservation,
    leased_at: t.now,
    updated_at: t.now,
    ...(assigned
      ? {
          status: 'withdrawn',
          withdrawn_at: t.now,
          assigned_at: t.now,
          assigned_to: buyer.name,
          assigned_cents: setup_cents,
        }
      : {
          status: 'leased',
          lessee_company_id: buyer.companyId,
          lessee_name: buyer.name,
          lease_monthly_cents: monthly_cents,
          lease_setup_cents: setup_cents,
          lease_term_months: months,
          lease_ends_at: ends_at,
          lease_notice_at: null,
          lease_told_days: null,
          withdraws_at_end: false,
        }),
  });
  await install(t, row, own, buyer, { assigned, monthly_cents, months, ends_at });

  const price = [
    ...(assigned ? [] : [`${formatMoney(monthly_cents)} a month`]),
    ...(setup_cents > 0 ? [`${formatMoney(setup_cents)} once`] : []),
  ].join(' and ');
  const how =
    ends_at === null
      ? `Assigned to ${buyer.name} for ${price}.`
      : `Leased to ${buyer.name} for ${contract.monthsInWords(months)} at ${price}.`;
  await audit(
    t,
    assigned ? 'marketplace.assigned' : 'marketplace.leased',
    `marketplace:${row.id}`,
    {
      after: {
        to: buyer.companyId,
        monthly_cents,
        setup_cents,
        term_months: assigned ? null : months,
      },
    },
  );
  await noteItem(t, row.id, {
    kind: 'status',
    text: how,
    status: assigned ? 'withdrawn' : 'leased',
    ...(buyer.byLister ? {} : { by: buyer.name }),
  });
  const until =
    ends_at === null
      ? 'The service on it has passed to them for good.'
      : `The lease ends ${dayInWords(ends_at)}.`;
  await mailLister(t, row, `${called(row)} was ${assigned ? 'assigned' : 'leased'}`, [
    `${called(row)}: ${how.charAt(0).toLowerCase()}${how.slice(1)}`,
    until,
  ]);
  await mailLessee(t, row, buyer.companyId, `${called(row)} is now one of your numbers`, [
    ends_at === null
      ? `The service on ${called(row)} was assigned to ${buyer.name} for ${price}.`
      : `${buyer.name} leases ${called(row)} for ${contract.monthsInWords(months)} at ${price}, until ${dayInWords(ends_at)}.`,
    contract.termsOf(row.pricing_type),
  ]);
  return {
    number: row.number,
    type: assigned ? 'assignment' : 'lease',
    monthly_cents,
    setup_cents,
    term_months: assigned ? null : months,
    ends_at,
  };
}

/** The lister's own number is given up; its row and history stay. */
async function passOn(t: TxCtx, numberId: number): Promise<NumberRecord> {
  const row = await lockNumber(t.tx, t.companyId, numberId, null);
  if (!row || whyNotOffered(row)) refuse('marketplace.taken');
  await updateNumberRow(t.tx, t.companyId, numberId, {
    status: 'released',
    released_at: t.now,
    release_reason: 'Taken on the marketplace',
    updated_at: t.now,
  });
  await unclaimNumber(t.tx, row.number, numberId);
  await t.say(
    numbers.numberReleased,
    { companyId: t.companyId, numberId, number: row.number },
    { numberId },
  );
  return row;
}

/** Null: this own number may be offered and taken. */
export const whyNotOffered = (
  n: Pick<NumberRecord, 'status' | 'dni_pool_id' | 'lease_listing_id'>,
): 'inactive' | 'in_pool' | 'leased' | null => {
  if (n.lease_listing_id !== null) return 'leased';
  if (n.dni_pool_id !== null) return 'in_pool';
  return n.status === 'active' || n.status === 'parked' ? null : 'inactive';
};

async function install(
  t: TxCtx,
  row: ItemRecord,
  own: NumberRecord | undefined,
  buyer: { companyId: number; byLister?: boolean },
  lease: { assigned: boolean; monthly_cents: number; months: number; ends_at: Date | null },
): Promise<void> {
  const there = await actingIn(t, buyer.companyId);
  // Whoever did it is one of the other company's people when the lister confirms an accepted offer.
  const asBuyer = buyer.byLister
    ? { ...there, actor: { ...there.actor, kind: 'system' as const, userId: 0, name: '' } }
    : there;
  const id = await installNumber(asBuyer, {
    number: row.number,
    label: row.vanity_text ?? '',
    reason: lease.assigned
      ? 'Assigned on the marketplace'
      : `Leased on the marketplace for ${contract.monthsInWords(lease.months)}`,
  });
  await updateNumberRow(there.tx, there.companyId, id, {
    // It stays at the carrier it is at.
    ...(own
      ? {
          provider_id: own.provider_id,
          provider_ref: own.provider_ref,
          sms_enabled: own.sms_enabled,
          mms_enabled: own.mms_enabled,
          fax_enabled: own.fax_enabled,
          region: own.region,
          city: own.city,
          rate_center: own.rate_center,
        }
      : {}),
    vanity_text: row.vanity_text ?? own?.vanity_text ?? null,
    ...(lease.assigned
      ? {}
      : {
          lease_listing_id: row.id,
          lease_ends_at: lease.ends_at,
          lease_monthly_cents: lease.monthly_cents,
          lease_term_months: lease.months,
        }),
  });
  await actingIn(t, t.companyId);
}
