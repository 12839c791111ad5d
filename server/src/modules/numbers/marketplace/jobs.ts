import { z } from 'zod';
import { formatPhone } from '#contract';
import { job } from '../../../platform/jobs.ts';
import { queueMail } from '../../../platform/mail.ts';
import { endLease } from './end-lease.ts';
import { installLeased } from './for-buyers.ts';
import { endedLeases, inquiriesOf, lapseOffers, lapseReservations, readItem } from './store.ts';

const escape = (text: string) => text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);
export const jobs = [
  job('numbers.installLeased', z.object({ companyId: z.number(), number: z.string(), label: z.string(), listingId: z.number(), endsAt: z.string() }), installLeased),
  job('numbers.mailInquiry', z.object({ companyId: z.number(), marketplaceId: z.number(), inquiryId: z.number() }), async (ctx, { marketplaceId, inquiryId }) => {
    const found = await ctx.transaction(async (t) => ({ item: await readItem(t.tx, t.companyId, marketplaceId, t.now), inquiry: (await inquiriesOf(t.tx, t.companyId, marketplaceId)).find((q) => q.id === inquiryId) }));
    if (!found.item?.contact_email || !found.inquiry) return;
    const text = `${found.inquiry.name} (${found.inquiry.email}) asks about ${found.item.vanity_text ?? formatPhone(found.item.number)}:\n\n${found.inquiry.message}\n\n${ctx.settings.publicUrl}/marketplace/${marketplaceId}`;
    await queueMail(ctx, { to: found.item.contact_email, subject: `A question about ${found.item.vanity_text ?? formatPhone(found.item.number)}`, text, html: text.split('\n\n').map((p) => `<p>${escape(p)}</p>`).join(''), key: `marketplace-inquiry-${inquiryId}` });
  }),
  job('numbers.endLease', z.object({ companyId: z.number(), marketplaceId: z.number() }), async (ctx, { marketplaceId }) => { await ctx.transaction((t) => endLease(t, marketplaceId, 'term')); }),
  job('numbers.endLeases', z.unknown(), async (ctx) => {
    for (const { company_id, id } of await ctx.db.system((tx) => endedLeases(tx, ctx.now))) await ctx.transaction((t) => t.enqueue('numbers.endLease', { companyId: company_id, marketplaceId: id }, { key: `numbers.endLease:${company_id}:${id}` }));
  }, '15 * * * *'),
  job('numbers.lapseMarketplace', z.unknown(), async (ctx) => { await ctx.db.system(async (tx) => { await lapseReservations(tx, ctx.now); await lapseOffers(tx, ctx.now); }); }, '*/5 * * * *'),
];
