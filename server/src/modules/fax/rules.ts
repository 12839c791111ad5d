import { errorOfParty } from '#contract/compliance/rules';
import { partyKind, type PartyKind } from '#contract/party';
import { faxStates, faxErrors, type FaxState, type FaxErrorCode } from '#contract/fax/rules';

const stateRank: Record<FaxState, number> = {
  queued: 0,
  sending: 1,
  unknown: 1,
  sent: 2,
  delivered: 3,
  failed: 3,
  receiving: 0,
  received: 3,
};
/**
 * Whether a fax may move from one state to another. Reports come late, twice and out of order: only
 * forward, never out of a final state.
 */
export const canTransition = (from: FaxState, to: FaxState): boolean =>
  stateRank[to] > stateRank[from] || (from === 'sending' && (to === 'unknown' || to === 'queued'));
/** The state stored in the database; `unknown` for an unexpected value. */
export const stateOf = (text: string): FaxState => faxStates.find((s) => s === text) ?? 'unknown';
/** Whether a fax ended; final states never change. */
export const isFinal = (state: FaxState): boolean => stateRank[state] === 3;

/** The sentence for a failure code; an unknown code of the carrier counts as "refused". */
export const faxErrorText = (code: string | null): string | null =>
  code === null ? null : (faxErrors[code as FaxErrorCode] ?? faxErrors.rejected);

/** Delay before the next attempt in seconds: doubles with each, up to 5 minutes. */
export const waitSeconds = (tries: number) => Math.min(300, 2 ** Math.min(tries, 12));
/** How long a fax may wait for an unavailable carrier, in ms. */
export const giveUpAfterMs = 3_600_000;
/**
 * After this many polls (a transmission takes minutes) a fax stays `unknown` until the carrier
 * reports.
 */
export const maxStatusChecks = 12;

/**
 * The idempotency key sent to the carrier, one per fax and attempt. It contains the company, so
 * that a report can be matched.
 */
export const idempotencyKeyOf = (fax: { company_id: number; id: number; attempts: number }) =>
  `f.${fax.company_id}.${fax.id}.${fax.attempts}`;
/** The ids in a key from `idempotencyKeyOf`; null if it is not one of ours. */
export function parseIdempotencyKey(
  key: string | null,
): { companyId: number; faxId: number; attempt: number } | null {
  const match = /^f\.(\d{1,16})\.(\d{1,16})\.(\d{1,4})$/.exec(key ?? '');
  return match
    ? { companyId: Number(match[1]), faxId: Number(match[2]), attempt: Number(match[3]) }
    : null;
}

/** Why a fax can't be sent from this number to this party; null if it can. */
export function faxBlockReason(f: {
  carrier: boolean;
  live: boolean;
  companyActive: boolean;
  companySuspended: boolean;
  fax: boolean;
  party: string;
  blocked: boolean;
}):
  | 'fax.not_set_up'
  | 'company.inactive'
  | 'company.suspended'
  | 'number.gone'
  | 'fax.number'
  | NonNullable<(typeof errorOfParty)[PartyKind]>
  | 'calling.emergency'
  | 'contact.blocked'
  | null {
  if (!f.carrier) return 'fax.not_set_up';
  if (!f.companyActive) return 'company.inactive';
  if (f.companySuspended) return 'company.suspended';
  if (!f.live) return 'number.gone';
  if (!f.fax) return 'fax.number';
  const reason = errorOfParty[partyKind(f.party)];
  if (reason) return reason;
  if (/^\+1?(911|933|112)$/.test(f.party)) return 'calling.emergency';
  return f.blocked ? 'contact.blocked' : null;
}
