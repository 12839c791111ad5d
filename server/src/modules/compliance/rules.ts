import {
  helpWords,
  optInWords,
  optOutWords,
  type TextBlockReason,
} from '#contract/compliance/rules';
import { normalizePhone } from '#contract/phone';

/**
 * The keyword that a whole message consists of, ignoring case, punctuation and spacing; null for
 * none.
 */
export function keywordOf(text: string): 'stop' | 'start' | 'help' | null {
  const word = text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  if ((optOutWords as readonly string[]).includes(word)) return 'stop';
  if ((optInWords as readonly string[]).includes(word)) return 'start';
  if ((helpWords as readonly string[]).includes(word)) return 'help';
  return null;
}

/**
 * Normalizes a block target: E.164, `anonymous`, or a prefix `+1900*` (in North America at least an
 * area code, elsewhere one digit). Null if it is not a target.
 */
export function blockTarget(typed: string): string | null {
  const text = typed.trim();
  if (/^(anonymous|withheld|private|restricted|unknown)$/i.test(text)) return 'anonymous';
  if (text.endsWith('*')) {
    const digits = text.slice(0, -1).replace(/[\s().-]/g, '');
    return /^\+(1\d{3,13}|[2-9]\d{0,13})$/.test(digits) ? `${digits}*` : null;
  }
  return normalizePhone(text);
}

/** Every target that could match a caller: the number itself and each prefix of it. */
export function targetsMatching(from: string): string[] {
  if (!from.startsWith('+')) return ['anonymous'];
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
  number: { live: boolean; companyActive: boolean; smsEnabled: boolean; verified: boolean };
}
/**
 * Why this party may not be texted from this number now, most serious reason first; null if it may.
 */
export function textBlockReason(facts: TextContext): TextBlockReason | null {
  if (!facts.party.startsWith('+')) return 'anonymous';
  if (!facts.number.companyActive) return 'company_inactive';
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
