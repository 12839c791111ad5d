import { normalizePhone } from '#contract/phone';
import type { CodeChannel } from '#contract/caddy/rules';

/** Where a code goes, in the one form that is compared. */
export interface Target {
  channel: CodeChannel;
  /** An address in lower case, or a number as E.164. */
  subject: string;
}

/** What was typed as a target; null: no address or number where one is needed. */
export function targetOf(
  channel: CodeChannel,
  said: { email?: string | null | undefined; phone?: string | null | undefined },
): Target | null {
  if (channel === 'email')
    return said.email ? { channel, subject: said.email.toLowerCase() } : null;
  const phone = normalizePhone(said.phone);
  return phone ? { channel, subject: phone } : null;
}

/** `s•••@example.com`, `+1 ••• ••• 0107`: enough to recognize one's own. */
export const masked = ({ channel, subject }: Target): string =>
  channel === 'email' ? subject.replace(/^(.)[^@]*/, '$1•••') : `••• ${subject.slice(-4)}`;

/** What failed passwords are counted by, apart from those of companies' people. */
export const attemptKey = ({ channel, subject }: Target): string => `caddy:${channel}:${subject}`;
