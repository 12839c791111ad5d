import { isTollFree } from '#contract';
import { areaCodes } from '#contract/area-codes';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import type { FoundNumber } from '../../ports/number-inventory.ts';
import { companyRow } from '../companies/index.ts';
import { kindOf, type Category } from './rules.ts';
import type { NewNumber } from './store.ts';

/** One number somebody wants: from a hold, or named by its digits. */
export interface Wish { number: string; category: Category; found: FoundNumber | null }
export type Ordered = { state: 'ordered'; providerRef: string; found: FoundNumber } | { state: 'taken' } | { state: 'unreachable' };

const TRIES = 3;

/** Ring the carrier. Ordering is idempotent by key, so an answer that got lost is asked for again. */
export async function orderNumber(ctx: Ctx, number: string, key: string): Promise<Ordered> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ctx.ports.numbers.order(number, `${key}:${number}`);
    } catch (error) {
      ctx.log.warn({ err: error, attempt }, 'ordering a number failed');
      if (attempt === TRIES) return { state: 'unreachable' };
      await new Promise((resolve) => setTimeout(resolve, 100 * attempt));
    }
  }
}

/** What a wish becomes as a row, with the company's usual settings (A20). */
export async function newNumbers(t: TxCtx, wishes: readonly Wish[], about: { key: string | null; label: string; buyer: number | null; status: NewNumber['status'] }): Promise<NewNumber[]> {
  const settings = ((await companyRow(t.tx, t.companyId))?.settings ?? {}) as Record<string, unknown>;
  // The sandbox asks for no registration of texting; real carriers do.
  const verification = t.ports.numbers.name === 'sandbox' ? 'not_required' : 'none';
  return wishes.map(({ number, category, found }) => {
    const areaCode = number.startsWith('+1') ? number.slice(2, 5) : '';
    const place = areaCodes().get(areaCode);
    const country = place?.country ?? 'US';
    return {
      number, label: about.label, status: about.status, kind: kindOf(category, country), category, country, area_code: areaCode, purchase_key: about.key, purchased_by: about.buyer,
      found: found ?? { number, region: place?.state ?? '', city: place?.cities[0] ?? '', rateCenter: '', vanityText: null, monthlyCents: 0, setupCents: 0, providerId: isTollFree(number) ? 2 : 1, features: category === 3 ? ['fax'] : ['voice', 'sms', 'mms'] },
      record: settings['record_calls_default'] === true, call_transcription_enabled: settings['transcription_default'] === true, voicemail_transcribe: settings['voicemail_transcription'] !== false,
      sms_verification_status: verification, at: t.now,
    };
  });
}
