import { isTollFree } from '#contract';
import { areaCodes } from '#contract/area-codes';
import { companySettingsOf } from '#contract/companies/rules';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { CarrierRejectedError } from '../../gateways/carrier.ts';
import type { AvailableNumber } from '../../gateways/number-inventory.ts';
import { companyRow } from '../companies/index.ts';
import { kindOf, type Category } from './rules.ts';
import type { NewNumber } from './store-purchases.ts';

/** One number somebody wants: from a hold, or named by its digits. */
export interface NumberRequest {
  number: string;
  category: Category;
  found: AvailableNumber | null;
  /** Where nothing was found: whose it is all the same (a number that moved here). */ providerId?: AvailableNumber['providerId'];
}
export type OrderResult =
  | { state: 'ordered'; providerRef: string; found: AvailableNumber }
  | { state: 'taken' }
  | { state: 'unreachable' }
  | { state: 'refused'; reason: string };

const maxTries = 3;

/** Ring the carrier. Ordering is idempotent by key, so an answer that got lost is asked for again. */
export async function orderNumber(
  ctx: Ctx,
  number: string,
  key: string,
  providerId: number,
): Promise<OrderResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ctx.gateways.numbers.order(number, `${key}:${number}`, providerId);
    } catch (error) {
      // Nothing was ordered, and asking again would be answered the same.
      if (error instanceof CarrierRejectedError) return { state: 'refused', reason: error.message };
      ctx.log.warn({ err: error, attempt }, 'ordering a number failed');
      if (attempt === maxTries) return { state: 'unreachable' };
      await new Promise((resolve) => setTimeout(resolve, 100 * attempt));
    }
  }
}

/** What a wish becomes as a row, with the company's usual settings (A20). */
export async function newNumbers(
  t: TxCtx,
  wishes: readonly NumberRequest[],
  common: { key: string | null; label: string; buyer: number | null; status: NewNumber['status'] },
): Promise<NewNumber[]> {
  const settings = companySettingsOf((await companyRow(t.tx, t.companyId))?.settings);
  const { carriers } = t.gateways;
  return wishes.map(({ number, category, found, providerId: knownProviderId }) => {
    const areaCode = number.startsWith('+1') ? number.slice(2, 5) : '';
    const place = areaCodes().get(areaCode);
    const country = place?.country ?? 'US';
    // Typed, never found: toll-free ones are kept by the registry, the rest by whoever serves here.
    const providerId: AvailableNumber['providerId'] =
      found?.providerId ??
      knownProviderId ??
      (carriers.primary.name === 'sandbox'
        ? isTollFree(number)
          ? 2
          : 1
        : (carriers.primary.providerIds[0] ?? 1));
    return {
      number,
      label: common.label,
      status: common.status,
      kind: kindOf(category, country),
      category,
      country,
      area_code: areaCode,
      purchase_key: common.key,
      purchased_by: common.buyer,
      found: found ?? {
        number,
        region: place?.state ?? '',
        city: place?.cities[0] ?? '',
        rateCenter: '',
        vanityText: null,
        monthlyCents: 0,
        setupCents: 0,
        providerId,
        features: category === 3 ? ['fax'] : ['voice', 'sms', 'mms'],
      },
      record: settings.record_calls_default,
      recording_announcement: settings.recording_announcement_default,
      call_transcription_enabled: settings.transcription_default,
      voicemail_transcribe: settings.voicemail_transcription,
      // The sandbox asks for no registration of texting; real carriers do.
      sms_verification_status:
        carriers.forProvider(providerId).name === 'sandbox' ? 'not_required' : 'none',
      at: t.now,
    };
  });
}
