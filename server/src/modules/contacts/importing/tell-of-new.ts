import { contactsHave } from '#contract/contacts';
import type { Ctx } from '../../../platform/context.ts';
import type { Plan } from './look-at-rows.ts';
import { storedRows } from './row-file.ts';
import { chunkOf, factsOf, numbersWithActivity } from './store.ts';
import type { Kept } from './take-rows.ts';

/**
 * Tell the others of the contacts an import made, as far as it is news to anybody: of numbers that called, texted or opted out.
 * (A file of strangers is news to nobody, and saying it a hundred thousand times costs more than the import.) Asked once all
 * of them stand, so whoever opted out or called meanwhile is among them.
 */
export async function tellOfNew(
  ctx: Ctx,
  importId: number,
  file: { key: string; bytes: number },
  plan: Plan,
  stepRows: number,
): Promise<void> {
  let n = 0;
  for await (const rows of storedRows(ctx, file, 0, stepRows)) {
    const step = n++;
    await ctx.transaction(async (t) => {
      const chunk = await chunkOf(t.tx, t.companyId, importId, step);
      const made = ((chunk?.rows ?? []) as unknown as Kept[]).flatMap((k, i) => {
        const number =
          k.o === 'created' && k.id !== undefined ? plan.read(k.r, rows[i]!.cells).number : null;
        return number ? [{ contactId: k.id!, number }] : [];
      });
      const numbers = made.map((m) => m.number);
      const [facts, active] = [
        await factsOf(t.tx, t.companyId, numbers),
        await numbersWithActivity(t.tx, t.companyId, numbers),
      ];
      const news = made.filter((m) => active.has(m.number) || facts.has(m.number));
      for (let at = 0; at < news.length; at += 1000)
        await t.say(contactsHave, { rows: news.slice(at, at + 1000) });
    });
  }
}
