import type { LegEndCause } from '../../gateways/voice.ts';
import type { TextErrorKind } from '../text-errors.ts';
import { twilioTextErrors } from './text-errors.ts';
import type { DeliveryReport } from '../../gateways/messaging.ts';

/** A refused request that may go through later, without anybody mending anything. */
export const isTransientTextError = (code: number): boolean =>
  twilioTextErrors.get(code)?.kind === 'carrier_busy';

/**
 * Our word and sentence for a text that Twilio refused or could not deliver. An unknown code is
 * told in Twilio's own words.
 */
export function describeTextError(
  code: number,
  reason: string | null,
): { code: TextErrorKind; reason: string } {
  const known = twilioTextErrors.get(code);
  if (known) return { code: known.kind, reason: known.message };
  return {
    code: 'rejected',
    reason: reason
      ? `Twilio did not deliver this text: ${reason.replace(/[.\s]*$/, '')}.`
      : 'Twilio did not deliver this text and gave no reason.',
  };
}

/** MessageStatus → our state; null is not worth telling. */
export function deliveryState(status: string): DeliveryReport['state'] | null {
  if (status === 'sent') return 'sent';
  if (status === 'delivered' || status === 'read' || status === 'partially_delivered')
    return 'delivered';
  if (status === 'undelivered') return 'undelivered';
  if (status === 'failed' || status === 'canceled') return 'failed';
  return null;
}

/**
 * How a leg ended. A phone that declines is told as busy with SIP's 603, or 403 by some mobile
 * carriers; `busy` without it is a line in use. Who answered and left hung up.
 */
export function legEndCause(
  status: string,
  sip: string | undefined,
  answered: boolean,
): LegEndCause {
  if (answered || status === 'completed') return 'hangup';
  if (sip === '603' || sip === '607') return 'declined';
  if (status === 'busy') return 'busy';
  if (status === 'no-answer') return 'noAnswer';
  if (status === 'canceled') return 'cancelled';
  return 'failed';
}
