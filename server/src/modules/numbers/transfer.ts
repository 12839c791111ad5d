import { numbers as contract } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { provisionNumber } from './provision-number.ts';
import {
  leasedNumber,
  reclaimNumber,
  unclaimNumber,
  updateNumberRow,
  type NumberRecord,
} from './store.ts';
import { recordNumberEvent } from './timeline/record-event.ts';

/** The terms of a lease as the lessee's number shows them. */
export interface LeaseTerms {
  listingId: number;
  endsAt: Date;
  monthlyCents: number;
  termMonths: number;
}

/**
 * Makes a number that another company just gave up one of this company's, by lease or
 * (`lease` null) for good. `previous` is its row there; it stays at that row's carrier.
 * Null: it was inventory without a row. Returns the new row's id.
 * Fails with `numbers.taken` when a company still has the number.
 */
export async function acceptNumber(
  ctx: TxCtx,
  input: {
    number: string;
    previous: NumberRecord | null;
    vanityText: string | null;
    lease: LeaseTerms | null;
    reason: string;
  },
): Promise<number> {
  const { previous, lease } = input;
  const id = await provisionNumber(ctx, {
    number: input.number,
    label: input.vanityText ?? '',
    reason: input.reason,
  });
  await updateNumberRow(ctx.tx, ctx.companyId, id, {
    ...(previous && {
      provider_id: previous.provider_id,
      provider_ref: previous.provider_ref,
      sms_enabled: previous.sms_enabled,
      mms_enabled: previous.mms_enabled,
      fax_enabled: previous.fax_enabled,
      region: previous.region,
      city: previous.city,
      rate_center: previous.rate_center,
    }),
    vanity_text: input.vanityText ?? previous?.vanity_text ?? null,
    ...(lease && {
      lease_listing_id: lease.listingId,
      lease_ends_at: lease.endsAt,
      lease_monthly_cents: lease.monthlyCents,
      lease_term_months: lease.termMonths,
    }),
  });
  return id;
}

/**
 * Gives up a number without returning it to the carrier: another company gets it in the same
 * transaction. The row and its history stay. `summary` is its entry in the timeline.
 */
export async function giveUpNumber(
  ctx: TxCtx,
  row: { id: number; number: string },
  { reason, summary }: { reason: string; summary?: string },
): Promise<void> {
  await updateNumberRow(ctx.tx, ctx.companyId, row.id, {
    status: 'released',
    released_at: ctx.now,
    release_reason: reason,
    returns_at: null,
    lease_ends_at: null,
    lease_notice_at: null,
    updated_at: ctx.now,
  });
  await unclaimNumber(ctx.tx, row.number, row.id);
  if (summary) await recordNumberEvent(ctx, row.id, { type: 'released', summary });
  await ctx.publish(
    contract.numberReleased,
    { companyId: ctx.companyId, numberId: row.id, number: row.number },
    { numberId: row.id },
  );
}

/**
 * Takes back a number given up before, with the settings it had.
 * False: another company has it.
 */
export async function takeBackNumber(
  ctx: TxCtx,
  row: { id: number; number: string },
  summary: string,
): Promise<boolean> {
  if (!(await reclaimNumber(ctx.tx, row.number, row.id, ctx.now))) return false;
  await updateNumberRow(ctx.tx, ctx.companyId, row.id, {
    status: 'active',
    released_at: null,
    release_reason: null,
    updated_at: ctx.now,
  });
  await recordNumberEvent(ctx, row.id, { type: 'kept', summary });
  await ctx.publish(
    contract.numberKept,
    { companyId: ctx.companyId, numberId: row.id, number: row.number },
    { numberId: row.id },
  );
  return true;
}

/**
 * Changes the end or the notice of the lease by which this company has a number.
 * False: it has none by that lease.
 */
export async function changeLease(
  ctx: TxCtx,
  listingId: number,
  change: { lease_ends_at: Date } | { lease_notice_at: Date },
  summary: string,
): Promise<boolean> {
  const row = await leasedNumber(ctx.tx, ctx.companyId, listingId);
  if (!row) return false;
  await updateNumberRow(ctx.tx, ctx.companyId, row.id, { ...change, updated_at: ctx.now });
  await recordNumberEvent(ctx, row.id, { type: 'settings_changed', summary });
  await ctx.publish(
    contract.numberChanged,
    { companyId: ctx.companyId, numberId: row.id, number: row.number, changed: ['lease'] },
    { numberId: row.id },
  );
  return true;
}
