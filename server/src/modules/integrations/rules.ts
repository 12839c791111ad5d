import { dots, retryMinutes } from '#contract/integrations/rules';
import { deliveryRule } from '#contract/integrations/schemas';
import type { Verdict } from '../../gateways/destination.ts';
import type { OutboundAnswer } from '../../gateways/outbound.ts';

/** A worker that took a delivery has this long; then another may take it. Seconds. */
export const CLAIM_SECONDS = 120;
/** How much of an answer is kept. Characters. */
const EXCERPT = 500;

/** When a delivery is tried again that has failed so many times; null: not any more. */
export function nextTry(now: Date, attempts: number, askedSeconds: number | null): Date | null {
  const minutes = retryMinutes[attempts - 1];
  if (minutes === undefined) return null;
  // Who says when to come back is not asked before.
  return new Date(
    now.getTime() + Math.max(minutes * 60, Math.min(askedSeconds ?? 0, 86_400)) * 1000,
  );
}

/** A receiver that asks for time all day is one that fails. */
const LONGEST_WAIT_MS = 86_400_000;

/**
 * When a delivery is tried that its receiver asked to wait with; null: it has asked for too long.
 * Deliveries that wait for one receiver don't come back at one moment.
 */
export function waitedUntil(
  now: Date,
  { id, created_at: created, rule }: { id: number; created_at: Date; rule: unknown },
  seconds: number,
): Date | null {
  const { delay_minutes: delay } = deliveryRule.parse(rule);
  const since = new Date(created.getTime() + delay * 60_000);
  if (now.getTime() - since.getTime() > LONGEST_WAIT_MS) return null;
  const wait = Math.min(Math.max(seconds, 1), 86_400);
  return new Date(now.getTime() + (wait + (id % 16)) * 1000);
}

/** Statuses that stay the same however often they are asked: the request itself is refused. */
const refusing = new Set([400, 405, 406, 410, 413, 414, 415, 422]);

/** What an answer means where a provider doesn't say otherwise. */
export function verdictOf(answer: OutboundAnswer): Verdict {
  if (answer.status === null) return { state: 'retry', error: answer.error };
  if (answer.status >= 200 && answer.status < 300) return { state: 'sent' };
  const error = `The receiver answered with status ${answer.status}.`;
  return { state: refusing.has(answer.status) ? 'refused' : 'retry', error };
}

/** The answer of a receiver without contact details that it may repeat. */
export const withoutDetails = (text: string): string =>
  text
    .replaceAll(/\+?\d[\d\s().-]{6,}\d/g, dots)
    .replaceAll(/[^\s@<>"'=:]+@[^\s@<>"']+/g, dots)
    .slice(0, EXCERPT);
