import { contactNumbersLinked } from '#contract/contacts/events';
import type { Ctx } from '../../../platform/context.ts';
import type { ImportPlan } from './plan-rows.ts';
import { readStagedRows, stepRows, type StagedFile } from './staging-file.ts';
import { recordsOfStep } from './store-steps.ts';
import { numberFactsOf, numbersWithActivity } from './store-number-facts.ts';

/** Contacts per event. */
const eventBatchSize = 1000;

/**
 * Publishes the contacts an import created whose numbers called, texted or opted out. Events for all
 * the others, which no subscriber needs, would cost more than the import. Runs after the last step,
 * so that it sees who called or opted out during the import.
 */
export async function publishCreatedContacts(
  ctx: Ctx,
  importId: number,
  file: StagedFile,
  plan: ImportPlan,
): Promise<void> {
  let step = 0;
  for await (const rows of readStagedRows(ctx, file, 0, stepRows)) {
    const n = step++;
    await ctx.transaction(async (t) => {
      const records = await recordsOfStep(t.tx, t.companyId, importId, n);
      const created = records.flatMap(({ row, outcome, contactId }, i) => {
        if (outcome !== 'created' || contactId === undefined) return [];
        const { number } = plan.readRow(row, rows[i]?.cells ?? []);
        return number === null ? [] : [{ contactId, number }];
      });
      const numbers = created.map(({ number }) => number);
      const facts = await numberFactsOf(t.tx, t.companyId, numbers);
      const active = await numbersWithActivity(t.tx, t.companyId, numbers);
      const relevant = created.filter(({ number }) => active.has(number) || facts.has(number));
      for (let from = 0; from < relevant.length; from += eventBatchSize)
        await t.publish(contactNumbersLinked, {
          rows: relevant.slice(from, from + eventBatchSize),
        });
    });
  }
}
