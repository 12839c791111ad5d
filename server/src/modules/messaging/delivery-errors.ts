/** Sentences for our error codes, for adapters that give none. */
const sentences: Record<string, string> = {
  opted_out: 'This contact opted out and cannot be texted.',
  landline: 'This number is a landline and can’t receive texts.',
  blocked: 'The carrier blocked this text.',
  unreachable: 'The phone can’t be reached.',
  no_number: 'This number isn’t in service.',
  rejected: 'The carrier rejected this text.',
  carrier_away: 'The carrier didn’t respond for an hour. Try again.',
  unknown: 'The carrier never responded, so this may or may not have been sent.',
};
/** Codes whose adapter reasons are only for the log: failures of our processes or of the carrier. */
const internalCodes = new Set(['unknown', 'carrier_away']);

const unnamedError = 'The text couldn’t be delivered.';

/**
 * What is stored with a text that failed, in conversations and campaigns: the adapter's sentence or,
 * without one, ours for the code (decision 67). Null without a code: it didn't fail.
 */
export function deliveryErrorText(code: string | null, reason: string | null): string | null {
  if (!code) return null;
  const ownReason = internalCodes.has(code) ? null : reason;
  return ownReason ?? sentences[code] ?? unnamedError;
}
