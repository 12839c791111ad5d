import type { TextBlockReason } from '#contract/compliance/rules';
import { normalizePhone } from '#contract/phone';
import { isNumber, partyKind, withheldParty } from '#contract/party';
import { readParty } from '#contract/read-party';
import { meaningOfText } from './opt-out/read-opt-out.ts';

/** The keyword that a text is, by its own words; null for none, and for what only may be one. */
export function keywordOf(text: string): 'stop' | 'start' | 'help' | null {
  const word = meaningOfText(text)?.word ?? null;
  return word === 'doubt' ? null : word;
}

/**
 * Normalizes a block target: E.164, a short code, a sender name, `anonymous`, or a prefix `+1900*`
 * (in North America at least an area code, elsewhere one digit). Null if it is not a target.
 */
export function blockTarget(typed: string): string | null {
  const text = typed.trim();
  if (text === '') return null;
  if (text.endsWith('*')) {
    const digits = text.slice(0, -1).replace(/[\s().-]/g, '');
    return /^\+(1\d{3,13}|[2-9]\d{0,13})$/.test(digits) ? `${digits}*` : null;
  }
  const number = normalizePhone(text);
  if (number) return number;
  const party = readParty(text);
  const isMistyped = partyKind(party) === 'sender_name' && !isSenderName(party);
  return isMistyped || (party === withheldParty && !/\p{L}/u.test(text)) ? null : party;
}
/** Whether it has the form of the names that senders of texts may have: up to 11 characters. */
const isSenderName = (text: string): boolean => /^(?=.*\p{L})[\p{L}\p{N} &+_.-]{3,11}$/u.test(text);

/** Every target that could match a caller: the party itself and each prefix of a number. */
export function targetsMatching(from: string): string[] {
  // Sender names are the same in capitals and in small letters.
  if (!isNumber(from)) return [...new Set([from, from.toUpperCase(), from.toLowerCase()])];
  return [
    from,
    ...Array.from({ length: from.length - 1 }, (_, i) => `${from.slice(0, from.length - i)}*`),
  ];
}

export interface BlockRule {
  target: string;
  action: number;
  number_id: number | null;
  everywhere: boolean;
}
/**
 * Whether a caller is blocked on a number. The most specific rule wins: an exact number before a
 * prefix, a longer prefix before a shorter one; then a rule for one number before the company's,
 * the company's before the platform's; then an exception before a block.
 */
export function matchesBlock(
  rules: readonly BlockRule[],
  numberId: number | null,
  from: string,
): boolean {
  const matching = new Set(targetsMatching(from));
  const weight = (r: BlockRule) =>
    (r.target.endsWith('*') ? r.target.length : 100) * 8 +
    (r.number_id !== null ? 4 : 0) +
    (r.everywhere ? 0 : 2) +
    (r.action === 0 ? 1 : 0);
  const decisive = rules
    .filter((r) => matching.has(r.target) && (r.number_id === null || r.number_id === numberId))
    .sort((a, b) => weight(b) - weight(a))[0];
  return decisive?.action === 1;
}

/**
 * How long after an incoming text a number not yet approved may still reply to its sender (A10).
 */
const REPLY_WINDOW_MS = 24 * 3_600_000;

interface TextContext {
  party: string;
  optedOut: boolean;
  blocked: boolean;
  now: Date;
  /** When the party last texted this number. */
  lastInboundAt: Date | null;
  number: {
    live: boolean;
    companyActive: boolean;
    companySuspended: boolean;
    smsEnabled: boolean;
    verified: boolean;
  };
}
/**
 * Why this party may not be texted from this number now, most serious reason first; null if it may.
 */
export function textBlockReason(facts: TextContext): TextBlockReason | null {
  const kind = partyKind(facts.party);
  if (kind !== 'number') return kind === 'withheld' ? 'anonymous' : kind;
  if (!facts.number.companyActive) return 'company_inactive';
  if (facts.number.companySuspended) return 'company_suspended';
  if (facts.optedOut) return 'contact_opted_out';
  if (facts.blocked) return 'blocked';
  if (!facts.number.live) return 'number_gone';
  if (!facts.number.smsEnabled) return 'no_sms';
  if (
    !facts.number.verified &&
    !(facts.lastInboundAt && facts.now.getTime() - facts.lastInboundAt.getTime() < REPLY_WINDOW_MS)
  )
    return 'number_not_verified';
  return null;
}
