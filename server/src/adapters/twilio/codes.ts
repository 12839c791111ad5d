import type { LegEndCause } from '../../ports/voice.ts';
import type { DeliveryReport } from '../../ports/messaging.ts';

/** Twilio's error codes of texts → our word and a sentence. What is not here keeps Twilio's own sentence under `rejected`. */
export const textErrors: Readonly<Record<number, { code: string; reason: string }>> = {
  21211: { code: 'unreachable', reason: 'This is not a phone number.' },
  21408: { code: 'rejected', reason: 'Texts to this country are not switched on at Twilio.' },
  21606: { code: 'rejected', reason: 'The number it goes from is not at Twilio, or cannot text.' },
  21610: { code: 'opted_out', reason: 'The recipient told the carrier to stop.' },
  21611: { code: 'carrier_busy', reason: 'Too many texts wait at the carrier.' },
  21612: { code: 'unreachable', reason: 'The number cannot be reached from here.' },
  21614: { code: 'landline', reason: 'The number cannot receive texts.' },
  21617: { code: 'rejected', reason: 'The text is too long.' },
  21620: { code: 'rejected', reason: 'The carrier could not fetch the picture.' },
  30001: { code: 'carrier_busy', reason: 'Too many texts wait at the carrier.' },
  30002: { code: 'rejected', reason: 'The account at the carrier is suspended.' },
  30003: { code: 'unreachable', reason: 'The phone is switched off or out of reach.' },
  30004: { code: 'blocked', reason: 'The recipient blocked the text.' },
  30005: { code: 'unreachable', reason: 'Nobody has this number (any more).' },
  30006: { code: 'landline', reason: 'The number is a landline, or its carrier takes no texts.' },
  30007: { code: 'blocked', reason: 'The carrier filtered the text.' },
  30008: { code: 'unreachable', reason: 'The carrier could not deliver the text and did not say why.' },
  30010: { code: 'rejected', reason: 'The text cost more than is allowed.' },
  30019: { code: 'rejected', reason: 'The picture is too large for the recipient’s carrier.' },
  30022: { code: 'carrier_busy', reason: 'More was sent than the registered campaign may send.' },
  30023: { code: 'rejected', reason: 'The brand has reached its daily limit.' },
  30024: { code: 'rejected', reason: 'The number is not yet provisioned for texting.' },
  30032: { code: 'rejected', reason: 'The toll-free number is not verified for texting.' },
  30034: { code: 'rejected', reason: 'The number is not registered for texting in the United States.' },
  30410: { code: 'unreachable', reason: 'The next carrier did not answer.' },
  30450: { code: 'blocked', reason: 'The carrier’s quiet hours hold the text back.' },
  63016: { code: 'rejected', reason: 'The carrier refused the text.' },
};
/** Codes of a refused request that may go through later. */
export const textErrorsThatPass = new Set([20429, 21611, 14107]);

export const wordsOfTextError = (code: number, reason: string | null): { code: string; reason: string } => textErrors[code] ?? { code: 'rejected', reason: reason ?? (code ? `The carrier refused the text (${code}).` : 'The carrier refused the text.') };

/** MessageStatus → our state; null is not worth telling. */
export function stateOfMessage(status: string): DeliveryReport['state'] | null {
  if (status === 'sent') return 'sent';
  if (status === 'delivered' || status === 'read' || status === 'partially_delivered') return 'delivered';
  if (status === 'undelivered') return 'undelivered';
  if (status === 'failed' || status === 'canceled') return 'failed';
  return null;
}

/**
 * How a leg ended. A phone that declines is told as busy with SIP's 603, or 403 by some mobile carriers; `busy` without it
 * is a line in use. Who answered and left hung up.
 */
export function causeOf(status: string, sip: string | undefined, answered: boolean): LegEndCause {
  if (answered || status === 'completed') return 'hangup';
  if (sip === '603' || sip === '607') return 'declined';
  if (status === 'busy') return 'busy';
  if (status === 'no-answer') return 'noAnswer';
  if (status === 'canceled') return 'cancelled';
  return 'failed';
}
