import { optOutKnown } from '#contract/compliance';
import { contactChanged } from '#contract/contacts';
import { on } from '../../platform/relay.ts';
import { optOutOf } from './store.ts';

export const reactions = [
  // An opt-out outlives its contact: a contact made again, or given that number, learns of it.
  on(contactChanged, 'tell-opt-out', async (ctx, said) => {
    if (!said.added && !said.changed.includes('number')) return;
    const row = await optOutOf(ctx.tx, ctx.companyId, said.number);
    if (row || !said.added) await ctx.say(optOutKnown, { number: said.number, optedOutAt: row?.opted_out_at.toISOString() ?? null });
  }),
];
