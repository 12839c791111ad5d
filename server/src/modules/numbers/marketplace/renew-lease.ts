import { formatMoney, marketplace as contract, numbers, type Answer } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import { missing, refuse } from '../../../platform/refuse.ts';
import { noteNumberEvent } from '../timeline/note-event.ts';
import { updateNumberRow } from '../store.ts';
import { endOfTerm } from './end-lease.ts';
import { actingIn, inCompany } from './in-company.ts';
import { called, dayInWords, mailLessee, mailLister } from './mail-listing.ts';
import { noteItem } from './note-item.ts';
import { heldBy, listerOf, lockItem, updateItem } from './store.ts';

/** The lessee renews: the same term again at the same price, from the day the lease would have ended. */
export async function renewLease(
  ctx: Ctx,
  id: number,
): Promise<Answer<typeof contract.renewLease>> {
  const lister = (await listerOf(ctx.db.directory, id)) ?? missing();
  return inCompany(ctx, lister, async (t) => {
    const row = (await lockItem(t.tx, lister, id)) ?? missing();
    if (
      row.status !== 'leased' ||
      row.lessee_company_id !== ctx.companyId ||
      row.lease_ends_at === null
    )
      missing();
    const end = new Date(row.lease_ends_at);
    const why = contract.whyNotRenew({ ends_at: end, notice_at: row.lease_notice_at }, t.now);
    if (why === 'early')
      refuse('marketplace.renewal_early', {
        date: dayInWords(new Date(end.getTime() - contract.renewalDays * 86_400_000)),
      });
    if (why !== null) refuse('marketplace.not_renewed', { date: dayInWords(end) });
    const there = await actingIn(t, ctx.companyId);
    const held = (await heldBy(there.tx, there.companyId, id)) ?? missing();
    const term_months = row.lease_term_months ?? row.minimum_term_months;
    const monthly_cents = row.lease_monthly_cents ?? 0;
    const ends = endOfTerm(end, term_months);
    await updateNumberRow(there.tx, there.companyId, held.id, {
      lease_ends_at: ends,
      updated_at: t.now,
    });
    await noteNumberEvent(there, held.id, {
      type: 'settings_changed',
      summary: `The lease was renewed until ${dayInWords(ends)}`,
    });
    await there.say(
      numbers.numberChanged,
      { companyId: there.companyId, numberId: held.id, number: row.number, changed: ['lease'] },
      { numberId: held.id },
    );
    await actingIn(t, lister);
    await updateItem(t.tx, lister, id, {
      lease_ends_at: ends,
      lease_told_days: null,
      updated_at: t.now,
    });
    await audit(t, 'marketplace.renewed', `marketplace:${id}`, {
      before: { lease_ends_at: end },
      after: { lease_ends_at: ends },
    });
    const by = row.lessee_name ?? '';
    await noteItem(t, id, {
      kind: 'status',
      text: `${by} renewed the lease until ${dayInWords(ends)}.`,
      status: 'leased',
      by,
    });
    const until = `until ${dayInWords(ends)} at ${formatMoney(monthly_cents)} a month`;
    await mailLister(t, row, `The lease of ${called(row)} was renewed`, [
      `${by} renewed the lease of ${called(row)} ${until}.`,
    ]);
    await mailLessee(t, row, ctx.companyId, `You renewed the lease of ${called(row)}`, [
      `${called(row)} is leased to ${by} ${until}.`,
    ]);
    return {
      data: { number: row.number, ends_at: ends.toISOString(), monthly_cents, term_months },
    };
  });
}
