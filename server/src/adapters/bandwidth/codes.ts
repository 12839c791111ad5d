import type { DeliveryReport } from '../../gateways/messaging.ts';
import type { LegEndCause } from '../../gateways/voice.ts';
import { deliveryStateOf, type TextErrorKind } from '../shared/text-errors.ts';
import { bandwidthTextErrors } from './text-errors.ts';

/**
 * Why a text failed. Codes that are not listed are classified by their hundreds, as Bandwidth
 * documents.
 */
export function describeTextError(
  code: number,
  description: string | null,
): { code: TextErrorKind; reason: string } {
  const known = bandwidthTextErrors.get(code);
  if (known) return { code: known.kind, reason: known.message };
  const own = description ? `: ${description.replace(/[.\s]*$/, '')}.` : ' and gave no reason.';
  if (code >= 9000 || (code >= 5600 && code < 5700))
    return {
      code: 'unexplained',
      reason: `Bandwidth doesn’t know whether this text arrived${description ? own : '.'} Ask the recipient before you resend it.`,
    };
  if (code >= 5000)
    return { code: 'carrier_busy', reason: `Bandwidth had a failure${own} Send it again later.` };
  return {
    code: 'rejected',
    reason:
      code >= 4700
        ? `The recipient’s carrier rejected this text${own}`
        : `Bandwidth rejected this text${own}`,
  };
}

/** The delivery state of a message event; null for an event that changes none. */
export function deliveryState(type: string, code: number): DeliveryReport['state'] | null {
  if (type === 'message-sending') return 'sent';
  if (type === 'message-delivered' || type === 'message-read') return 'delivered';
  // 4xxx and 5xxx were refused. 9xxx was sent, and whether it arrived is unknown: without a receipt
  // it stays sent.
  if (type === 'message-failed')
    return code < 9000 ? 'failed' : deliveryStateOf(describeTextError(code, null).code);
  return null;
}
/** Delivery states by the status in Bandwidth's list of messages. */
export const listedMessageStates: Readonly<Record<string, DeliveryReport['state']>> = {
  SENDING: 'sent',
  SENT: 'sent',
  ACCEPTED: 'sent',
  QUEUED: 'sent',
  DELIVERED: 'delivered',
  UNDELIVERED: 'undelivered',
  FAILED: 'failed',
  EXPIRED: 'undelivered',
  DLR_EXPIRED: 'undelivered',
};

/** Why a leg ended. An answered leg was hung up; an undocumented cause is a failure. */
export function legEndCause(cause: string, answered: boolean): LegEndCause {
  if (answered || cause === 'hangup') return 'hangup';
  const known: Record<string, LegEndCause> = {
    busy: 'busy',
    timeout: 'noAnswer',
    cancel: 'cancelled',
    rejected: 'declined',
  };
  return known[cause] ?? 'failed';
}
