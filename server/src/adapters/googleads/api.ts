import { z } from 'zod';
import type { StepsVerdict } from '../../gateways/destination.ts';
import type { OutboundAnswer } from '../../gateways/outbound.ts';
import { jsonOf } from '../shared/answers.ts';

/** The Data Manager API; the sandbox answers there in the demo. */
export const dataManagerApi = 'https://datamanager.googleapis.com/v1';

/** A status of google.rpc, as both APIs answer it. */
const errorBody = z.object({
  error: z.looseObject({
    status: z.string().optional(),
    message: z.string().optional(),
    details: z
      .array(
        z.looseObject({
          reason: z.string().optional(),
          fieldViolations: z
            .array(z.looseObject({ field: z.string().optional(), reason: z.string().optional() }))
            .optional(),
        }),
      )
      .optional(),
  }),
});

/** What an answer means that isn't a good one. Nothing of it is shown but Google's reasons. */
export function failed(
  answer: OutboundAnswer,
): Extract<StepsVerdict, { error: string }> & { shown?: string } {
  if (answer.status === null) return { state: 'retry', error: answer.error };
  const { status = '', details = [] } = errorBody.safeParse(jsonOf(answer)).data?.error ?? {};
  const violations = details.flatMap(({ fieldViolations = [] }) => fieldViolations);
  const reasons = [
    ...details.flatMap(({ reason }) => reason ?? []),
    ...violations.flatMap(({ field, reason }) => [field, reason].filter((part) => part)),
  ];
  const shown = JSON.stringify({ status, reasons });
  if (answer.status === 429)
    return {
      state: 'wait',
      // Its quota is by minute: developers.google.com/data-manager/api/devguides/limits.
      seconds: Math.max(60, answer.retryAfterSeconds ?? 0),
      error: 'Google asked to wait.',
      shown,
    };
  if (answer.status === 403)
    return {
      state: 'refused',
      error:
        'Google doesn’t allow it. Check that the connected person can edit this Google Ads account.',
      shown,
    };
  if (answer.status === 400 || answer.status === 404) {
    const named = reasons.length > 0 ? reasons.join(', ') : status || String(answer.status);
    return { state: 'refused', error: `Google refused it: ${named}.`, shown };
  }
  return { state: 'retry', error: `Google answered with status ${answer.status}.`, shown };
}

/** A customer ID as the APIs take it: digits alone. */
export const digitsOf = (id: string): string => id.replaceAll(/\D/g, '');
