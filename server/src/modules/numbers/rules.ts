import { numbers as contract } from '#contract';

/** Numbers that a company may have unless it was granted more. */
export const defaultLimit = 25;

/** 1 toll-free, 2 local, 3 fax, 4 bulk. */
export type Category = 1 | 2 | 3 | 4;

/** Monthly price in cents by category, when the carrier gives none. */
export const listPriceCents: Readonly<Record<Category, number>> = {
  1: 500,
  2: 300,
  3: 600,
  4: 200,
};

/** B §3: 1 is the US or Canada, 2 international, 3 fax. */
export const kindOf = (category: Category, country: string): 1 | 2 | 3 =>
  category === 3 ? 3 : country === 'US' || country === 'CA' ? 1 : 2;

/** When a number released now returns to its carrier: after 72 hours (A6.2), or so many days. */
export const returnsAt = (releasedAt: Date, keepDays?: number): Date =>
  new Date(
    releasedAt.getTime() +
      (keepDays === undefined ? contract.undoHours : keepDays * 24) * 3_600_000,
  );

/** When a reservation made now expires: after ten minutes (A6.2). */
export const reservationExpiry = (now: Date): Date =>
  new Date(now.getTime() + contract.reservationSeconds * 1000);

/**
 * The next monthly anniversary of the purchase after `now`, in UTC; the 31st falls on a short
 * month's last day.
 */
export function nextRenewal(purchasedAt: Date, now: Date): Date {
  const months =
    (now.getUTCFullYear() - purchasedAt.getUTCFullYear()) * 12 +
    now.getUTCMonth() -
    purchasedAt.getUTCMonth();
  const after = (n: number) => {
    const first = new Date(purchasedAt);
    first.setUTCDate(1);
    first.setUTCMonth(first.getUTCMonth() + n);
    const last = new Date(
      Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0),
    ).getUTCDate();
    first.setUTCDate(Math.min(purchasedAt.getUTCDate(), last));
    return first;
  };
  const candidate = after(Math.max(1, months));
  return candidate > now ? candidate : after(Math.max(1, months) + 1);
}

/** Statuses in which a number can be released or replaced. */
export const releasable = new Set(['active', 'suspended', 'parked']);

interface NumberSettings {
  category: number;
  record: boolean;
  recording_announcement: string;
  recording_announcement_text: string | null;
  recording_announcement_greeting_id?: number | null;
  call_transcription_enabled: boolean;
  ai_eav_enabled: boolean;
  sms_enabled: boolean;
  mms_enabled: boolean;
  fax_enabled?: boolean;
}
/**
 * Applies a patch to the settings that depend on each other, or returns an error per field. Turning
 * on AI fields turns on recording and transcription (A6.4); a fax number can't text; pictures
 * require texts.
 */
export function resolveSettings(
  before: NumberSettings,
  patch: Partial<NumberSettings>,
): { errors: Record<string, string> } | { settings: NumberSettings } {
  const after = { ...before, ...patch };
  const errors: Record<string, string> = {};
  if (after.ai_eav_enabled && !before.ai_eav_enabled)
    Object.assign(after, { record: true, call_transcription_enabled: true });
  else if (after.ai_eav_enabled) {
    if (!after.record) errors['record'] = 'AI fields require recording. Turn off AI fields first.';
    if (!after.call_transcription_enabled)
      errors['call_transcription_enabled'] =
        'AI fields require transcription. Turn off AI fields first.';
  }
  if (
    after.recording_announcement === 'custom' &&
    !after.recording_announcement_text &&
    !after.recording_announcement_greeting_id
  )
    errors['recording_announcement_text'] = 'Enter what the caller hears, or choose a greeting.';
  if (after.category === 3) {
    if (patch.sms_enabled) errors['sms_enabled'] = 'A fax number can’t send texts.';
    if (patch.mms_enabled) errors['mms_enabled'] = 'A fax number can’t send pictures.';
    if (patch.fax_enabled === false)
      errors['fax_enabled'] = 'A fax number can only be used for faxes.';
  }
  if (patch.mms_enabled && !after.sms_enabled)
    errors['mms_enabled'] = 'Pictures require texting. Turn on texts first.';
  else if (!after.sms_enabled) after.mms_enabled = false;
  return Object.keys(errors).length ? { errors } : { settings: after };
}
