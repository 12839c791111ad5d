import { setTimeout as sleep } from 'node:timers/promises';
import { normalizePhone } from '#contract/phone';
import { ApiError } from '../../../platform/errors.ts';
import type { Ctx, Services } from '../../../platform/context.ts';
import { erasureProgress } from '../erasing/erasure-state.ts';
import { previewErasure, startErasure } from '../erasing/start-erasure.ts';
import { runErasure } from '../erasing/run-erasure.ts';
import { operatorCtx } from './erase-account.ts';
import { ErasureRefusal } from './refusal.ts';
import { contactsWithNumber } from './store.ts';

// The system role: one number is a contact in several companies, each of which is then worked in alone.

interface ErasedContact {
  companyId: number;
  company: string;
  goes: Record<string, number>;
  /** Why it is left; null: it was erased, or would be. */
  refused: string | null;
}

/**
 * Erases the person of a phone number in every company that has them as a contact, or in one. A
 * company in which they can't be erased (a legal hold, a call that goes on) is left, with its reason.
 * @throws ErasureRefusal no contact has the number
 */
export async function eraseNumber(
  services: Services,
  typed: string,
  { companyId, isDryRun }: { companyId: number | null; isDryRun: boolean },
): Promise<ErasedContact[]> {
  const number = normalizePhone(typed);
  if (!number) throw new ErasureRefusal(`${typed} is not a phone number.`);
  const found = await contactsWithNumber(services.db.unscoped, number, companyId);
  if (!found.length) throw new ErasureRefusal(`No contact has the number ${number}.`);
  const erased: ErasedContact[] = [];
  for (const { contactId, ...company } of found) {
    const ctx = operatorCtx(services, company.companyId);
    const { data } = await ctx.transaction((t) => previewErasure(t, contactId));
    let refused = data.hold ? `Under legal hold: ${data.hold.reason}` : null;
    if (!refused && !isDryRun)
      try {
        const { data: run } = await ctx.transaction((t) => startErasure(t, contactId));
        await runErasure(ctx, run.batchId, { last: false });
        refused = await endOf(ctx, run.batchId);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refused = error.message;
      }
    erased.push({ ...company, goes: data.goes, refused });
  }
  return erased;
}

const SOON_MS = 200;

/**
 * Why an erasure ended early; null: it is done. A running server works on it, too, and may have
 * taken a part of it, so this waits for the end.
 */
async function endOf(ctx: Ctx, batchId: string): Promise<string | null> {
  for (;;) {
    const { data } = await ctx.transaction((t) => erasureProgress(t, batchId));
    if (data.finishedAt) return data.failure;
    await sleep(SOON_MS);
  }
}
