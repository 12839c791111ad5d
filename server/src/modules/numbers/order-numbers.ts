import { isTollFree } from '#contract';
import { areaCodes } from '#contract/area-codes';
import { companySettingsOf } from '#contract/settings/rules';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { CarrierRejectedError } from '../../gateways/carrier.ts';
import type { AvailableNumber } from '../../gateways/number-inventory.ts';
import { companyRow, scheduleExists } from '../companies/index.ts';
import { kindOf, type Category } from './rules.ts';
import type { NewNumber } from './store-purchases.ts';

/** A number to buy: `found` by a search and reserved, or typed (null). */
export interface NumberRequest {
  number: string;
  category: Category;
  found: AvailableNumber | null;
  /** Provider of a number that no search found; omitted: the default one. */
  providerId?: AvailableNumber['providerId'];
}
/**
 * `taken`: sold to someone else. `unreachable`: no response, so it may have been ordered.
 * `refused`: the carrier's reason as a sentence.
 */
export type OrderResult =
  | { state: 'ordered'; providerRef: string; found: AvailableNumber }
  | { state: 'taken' }
  | { state: 'unreachable' }
  | { state: 'refused'; reason: string };

const maxTries = 3;

/**
 * Orders a number from its carrier, in up to three attempts. Orders are idempotent by key, so a
 * lost response is safe to retry.
 */
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
      // Nothing was ordered, and a retry would be rejected too.
      if (error instanceof CarrierRejectedError) return { state: 'refused', reason: error.message };
      ctx.log.warn({ err: error, attempt }, 'ordering a number failed');
      if (attempt === maxTries) return { state: 'unreachable' };
      await new Promise((resolve) => setTimeout(resolve, 100 * attempt));
    }
  }
}

/** The rows of numbers to buy, with the company's default settings (A20). */
export async function newNumbers(
  t: TxCtx,
  wishes: readonly NumberRequest[],
  common: { key: string | null; label: string; buyer: number | null; status: NewNumber['status'] },
): Promise<(NewNumber & { found: AvailableNumber })[]> {
  const settings = companySettingsOf((await companyRow(t.tx, t.companyId))?.settings);
  const chosen = settings.business_hours_schedule_id;
  const scheduleId = chosen && (await scheduleExists(t.tx, t.companyId, chosen)) ? chosen : null;
  const { carriers } = t.gateways;
  return wishes.map(({ number, category, found, providerId: knownProviderId }) => {
    const areaCode = number.startsWith('+1') ? number.slice(2, 5) : '';
    const place = areaCodes().get(areaCode);
    const country = place?.country ?? 'US';
    // A typed number is the primary carrier's. In the sandbox, toll-free ones belong to the
    // registry.
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
      schedule_id: scheduleId,
      record: settings.record_calls_default,
      recording_announcement: settings.recording_announcement_default,
      call_transcription_enabled: settings.transcription_default,
      ai_eav_enabled: settings.transcription_default && settings.ai_eav_default,
      voicemail_transcribe: settings.voicemail_transcription,
      // Only real carriers require a registration for texting.
      sms_verification_status:
        carriers.forProvider(providerId).name === 'sandbox' ? 'not_required' : 'none',
      at: t.now,
    };
  });
}
