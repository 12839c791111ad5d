import { optOutSynced, optOutsSynced } from '#contract/compliance/events';
import { contactChanged, contactNumbersLinked } from '#contract/contacts/events';
import { importOptOutsFound } from '#contract/contacts/importing/events';
import { subscribe } from '../../platform/outbox-relay.ts';
import { optOut, optOutOf, optOutsOf } from '../contacts/index.ts';

export const subscribers = [
  // An opt-out outlives its contact: a contact made again, or given that number, learns of it.
  subscribe(contactChanged, 'tell-opt-out', async (ctx, event) => {
    if (!event.added && !event.changed.includes('number')) return;
    const row = await optOutOf(ctx.tx, ctx.companyId, event.number);
    if (row || !event.added)
      await ctx.publish(optOutSynced, {
        number: event.number,
        optedOutAt: row?.opted_out_at.toISOString() ?? null,
      });
  }),
  // The same for a thousand at once; each is told how it stands, because one that comes back may have opted in meanwhile.
  subscribe(contactNumbersLinked, 'tell-opt-outs', async (ctx, event) => {
    const numbers = [...new Set(event.rows.map((r) => r.number))];
    const optOutTimes = new Map(
      (await optOutsOf(ctx.tx, ctx.companyId, numbers)).map((o) => [
        o.number,
        o.opted_out_at.toISOString(),
      ]),
    );
    await ctx.publish(optOutsSynced, {
      rows: numbers.map((number) => ({ number, optedOutAt: optOutTimes.get(number) ?? null })),
    });
  }),
  // A file that somebody brings knows who must not be texted: the ledger does, too, from now on.
  subscribe(importOptOutsFound, 'opt-out', async (ctx, event) => {
    for (const number of [...event.numbers].sort())
      await optOut(ctx, {
        number,
        source: 'import',
        numberId: null,
        proof: `Contact import ${event.importId}`,
      });
  }),
];
