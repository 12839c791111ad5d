import type { LegEndCause } from '../../gateways/voice.ts';
import type { TextErrorKind } from '../shared/text-errors.ts';
import { twilioTextErrors } from './text-errors.ts';
import type { DeliveryReport } from '../../gateways/messaging.ts';

/** Codes of refused requests that may succeed later without any fix. */
export const isTransientTextError = (code: number): boolean =>
  twilioTextErrors.get(code)?.kind === 'carrier_busy';

/** Why Twilio refused or could not deliver a text. An unknown code keeps Twilio's own message. */
export function describeTextError(
  code: number,
  reason: string | null,
): { code: TextErrorKind; reason: string } {
  const known = twilioTextErrors.get(code);
  if (known) return { code: known.kind, reason: known.message };
  return {
    code: 'rejected',
    reason: reason
      ? `Twilio didn’t deliver this text: ${reason.replace(/[.\s]*$/, '')}.`
      : 'Twilio didn’t deliver this text and gave no reason.',
  };
}

/** The delivery state of a MessageStatus; null for one that changes none. */
export function deliveryState(status: string): DeliveryReport['state'] | null {
  if (status === 'sent') return 'sent';
  if (status === 'delivered' || status === 'read' || status === 'partially_delivered')
    return 'delivered';
  if (status === 'undelivered') return 'undelivered';
  if (status === 'failed' || status === 'canceled') return 'failed';
  return null;
}

/**
 * Why a leg ended. A declined call is reported as busy with SIP status 603, or 403 by some mobile
 * carriers; without them, busy means a busy line. An answered leg was hung up.
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
