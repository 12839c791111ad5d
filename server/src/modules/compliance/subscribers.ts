import { optOutSynced, optOutsSynced } from '#contract/compliance/events';
import { contactChanged, contactNumbersLinked } from '#contract/contacts/events';
import { importOptOutsFound } from '#contract/contacts/importing/events';
import { subscribe } from '../../platform/outbox-relay.ts';
import { optOut, optOutOf, optOutsOf } from '../contacts/index.ts';

export const subscribers = [
  // Opt-outs outlive contacts: a contact created again, or given that number, gets the opt-out from
  // the ledger.
  subscribe(contactChanged, 'tell-opt-out', async (ctx, event) => {
    if (!event.added && !event.changed.includes('number')) return;
    const row = await optOutOf(ctx.tx, ctx.companyId, event.number);
    if (row || !event.added)
      await ctx.publish(optOutSynced, {
        number: event.number,
        optedOutAt: row?.opted_out_at.toISOString() ?? null,
      });
  }),
  // Same for a batch. Every number gets its current state, because a restored contact may have
  // opted in meanwhile.
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
  // Opt-outs listed in an imported file are recorded in the ledger.
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
