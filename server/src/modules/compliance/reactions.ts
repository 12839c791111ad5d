import { optOutKnown, optOutsKnown } from '#contract/compliance';
import { contactChanged, contactsHave } from '#contract/contacts';
import { fileSaidOptedOut } from '#contract/importing';
import { on } from '../../platform/relay.ts';
import { optOut, optOutOf, optOutsOf } from '../contacts/index.ts';

export const reactions = [
  // An opt-out outlives its contact: a contact made again, or given that number, learns of it.
  on(contactChanged, 'tell-opt-out', async (ctx, said) => {
    if (!said.added && !said.changed.includes('number')) return;
    const row = await optOutOf(ctx.tx, ctx.companyId, said.number);
    if (row || !said.added)
      await ctx.say(optOutKnown, {
        number: said.number,
        optedOutAt: row?.opted_out_at.toISOString() ?? null,
      });
  }),
  // The same for a thousand at once; each is told how it stands, because one that comes back may have opted in meanwhile.
  on(contactsHave, 'tell-opt-outs', async (ctx, said) => {
    const numbers = [...new Set(said.rows.map((r) => r.number))];
    const outs = new Map(
      (await optOutsOf(ctx.tx, ctx.companyId, numbers)).map((o) => [
        o.number,
        o.opted_out_at.toISOString(),
      ]),
    );
    await ctx.say(optOutsKnown, {
      rows: numbers.map((number) => ({ number, optedOutAt: outs.get(number) ?? null })),
    });
  }),
  // A file that somebody brings knows who must not be texted: the ledger does, too, from now on.
  on(fileSaidOptedOut, 'opt-out', async (ctx, said) => {
    for (const number of [...said.numbers].sort())
      await optOut(ctx, {
        number,
        source: 'import',
        numberId: null,
        proof: `Contact import ${said.importId}`,
      });
  }),
];
