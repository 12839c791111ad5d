import { contactNumbersLinked } from '#contract/contacts/events';
import type { Ctx } from '../../../platform/context.ts';
import type { ImportPlan } from './plan-rows.ts';
import { readStagedRows } from './staging-file.ts';
import { chunkByNumber, numberFactsOf, numbersWithActivity } from './store.ts';
import type { UndoRecord } from './write-rows.ts';

/**
 * Tell the others of the contacts an import made, as far as it is news to anybody: of numbers that called, texted or opted out.
 * (A file of strangers is news to nobody, and saying it a hundred thousand times costs more than the import.) Asked once all
 * of them stand, so whoever opted out or called meanwhile is among them.
 */
export async function publishCreatedContacts(
  ctx: Ctx,
  importId: number,
  file: { key: string; bytes: number },
  plan: ImportPlan,
  stepRows: number,
): Promise<void> {
  let n = 0;
  for await (const rows of readStagedRows(ctx, file, 0, stepRows)) {
    const step = n++;
    await ctx.transaction(async (t) => {
      const chunk = await chunkByNumber(t.tx, t.companyId, importId, step);
      const created = ((chunk?.rows ?? []) as unknown as UndoRecord[]).flatMap((k, i) => {
        const number =
          k.o === 'created' && k.id !== undefined ? plan.readRow(k.r, rows[i]!.cells).number : null;
        return number ? [{ contactId: k.id!, number }] : [];
      });
      const numbers = created.map((m) => m.number);
      const [facts, active] = [
        await numberFactsOf(t.tx, t.companyId, numbers),
        await numbersWithActivity(t.tx, t.companyId, numbers),
      ];
      const relevant = created.filter((m) => active.has(m.number) || facts.has(m.number));
      for (let at = 0; at < relevant.length; at += 1000)
        await t.publish(contactNumbersLinked, { rows: relevant.slice(at, at + 1000) });
    });
  }
}
