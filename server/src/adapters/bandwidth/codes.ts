import type { DeliveryReport } from '../../ports/messaging.ts';
import type { LegEndCause } from '../../ports/voice.ts';

/** Bandwidth's codes of texts that failed → our word and a sentence; by hundreds where a code is not listed (its documented schema). */
const textErrors: Readonly<Record<number, { code: string; reason: string }>> = {
  4001: { code: 'rejected', reason: 'The number it goes from may not text at the carrier.' },
  4302: { code: 'rejected', reason: 'The text is malformed.' },
  4303: { code: 'rejected', reason: 'The destination is not allowed by the account.' },
  4360: { code: 'carrier_busy', reason: 'The text waited too long at the carrier.' },
  4401: { code: 'blocked', reason: 'The carrier does not send between these two numbers.' },
  4403: { code: 'blocked', reason: 'The number it goes from is blocked at the carrier.' },
  4404: { code: 'blocked', reason: 'The number it goes to is blocked at the carrier.' },
  4405: { code: 'rejected', reason: 'The number it goes from is not provisioned for texting.' },
  4406: { code: 'rejected', reason: 'The number it goes from is not provisioned for pictures.' },
  4407: { code: 'rejected', reason: 'The number it goes from is not registered for texting.' },
  4420: { code: 'rejected', reason: 'The carrier has no route to this number.' },
  4431: { code: 'rejected', reason: 'Texting from this number is not switched on at the carrier.' },
  4432: { code: 'rejected', reason: 'Texts to this country are not switched on at the carrier.' },
  4434: { code: 'rejected', reason: 'The text goes to a toll-free number, which this number cannot.' },
  4435: { code: 'rejected', reason: 'The toll-free number is not verified for texting.' },
  4470: { code: 'blocked', reason: 'The carrier filtered the text as spam.' },
  4476: { code: 'rejected', reason: 'The number is not registered for texting in the United States.' },
  4700: { code: 'unreachable', reason: 'The recipient’s carrier does not know this number.' },
  4701: { code: 'rejected', reason: 'The recipient’s carrier refused the text’s form.' },
  4702: { code: 'unreachable', reason: 'Nobody has this number (any more).' },
  4720: { code: 'unreachable', reason: 'The phone is switched off or out of reach.' },
  4721: { code: 'landline', reason: 'The number cannot receive texts.' },
  4730: { code: 'unreachable', reason: 'The recipient’s carrier has no route to this number.' },
  4740: { code: 'unreachable', reason: 'The recipient’s carrier does not know the number it goes from.' },
  4750: { code: 'blocked', reason: 'The recipient’s carrier refused the text.' },
  4751: { code: 'blocked', reason: 'The recipient’s carrier refused pictures.' },
  4753: { code: 'blocked', reason: 'The recipient blocked the text.' },
  4770: { code: 'blocked', reason: 'The recipient’s carrier filtered the text as spam.' },
  4775: { code: 'rejected', reason: 'The recipient’s carrier refused the campaign.' },
  4780: { code: 'carrier_busy', reason: 'More was sent than the recipient’s carrier takes at once.' },
  4785: { code: 'opted_out', reason: 'The recipient told the carrier to stop.' },
  4790: { code: 'opted_out', reason: 'The recipient told the carrier to stop.' },
  4791: { code: 'rejected', reason: 'The registered campaign does not allow this text.' },
  4795: { code: 'opted_out', reason: 'The recipient opted out at the carrier.' },
  5620: { code: 'unreachable', reason: 'The recipient’s carrier was out of order.' },
  9902: { code: 'unreachable', reason: 'The carrier never heard whether the text arrived.' },
};

export function wordsOfTextError(code: number, description: string | null): { code: string; reason: string } {
  const known = textErrors[code];
  if (known) return known;
  const reason = description ?? `The carrier refused the text (${code}).`;
  if (code >= 4700 && code < 4800) return { code: 'blocked', reason };
  if (code >= 5000) return { code: 'unreachable', reason };
  return { code: 'rejected', reason };
}

/** Type of a message event → our state; null is not worth telling. */
export function stateOfMessage(type: string, code: number): DeliveryReport['state'] | null {
  if (type === 'message-sending') return 'sent';
  if (type === 'message-delivered' || type === 'message-read') return 'delivered';
  // 4xxx and 5xxx were refused somewhere; 9xxx went out, and nobody knows whether it arrived.
  if (type === 'message-failed') return code >= 9000 ? 'undelivered' : 'failed';
  return null;
}
/** Status of Bandwidth's list of messages → our state. */
export const stateOfListed: Readonly<Record<string, DeliveryReport['state']>> = { SENDING: 'sent', SENT: 'sent', ACCEPTED: 'sent', QUEUED: 'sent', DELIVERED: 'delivered', UNDELIVERED: 'undelivered', FAILED: 'failed', EXPIRED: 'undelivered', DLR_EXPIRED: 'undelivered' };

/** Why a leg ended, in our words. Who answered and left hung up; a cause nobody documented is a failure. */
export function causeOf(cause: string, answered: boolean): LegEndCause {
  if (answered || cause === 'hangup') return 'hangup';
  const known: Record<string, LegEndCause> = { busy: 'busy', timeout: 'noAnswer', cancel: 'cancelled', rejected: 'declined' };
  return known[cause] ?? 'failed';
}
