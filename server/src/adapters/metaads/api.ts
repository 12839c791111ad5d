import { z } from 'zod';
import type { StepsVerdict } from '../../gateways/destination.ts';
import type { OutboundAnswer } from '../../gateways/outbound.ts';
import { jsonOf } from '../shared/answers.ts';

/** The Graph API; the sandbox answers there in the demo. */
export const graphApi = 'https://graph.facebook.com/v25.0';

const errorBody = z.object({
  error: z.looseObject({
    code: z.number().optional(),
    error_subcode: z.number().optional(),
    is_transient: z.boolean().optional(),
    message: z.string().optional(),
  }),
});

/** Meta's codes, of developers.facebook.com/docs/graph-api/guides/error-handling and …/overview/rate-limiting. */
const codes = {
  // The token expired, or the person removed the app.
  ended: new Set([102, 190]),
  // Of the app, the person, the ad account.
  limited: new Set([4, 17, 32, 341, 613, 80000, 80003, 80004, 80014]),
  temporary: new Set([1, 2]),
  notAllowed: (code: number) => code === 3 || code === 10 || (code >= 200 && code <= 299),
};

/** What Meta says went wrong; empty: not in its words. */
function errorOf(answer: OutboundAnswer) {
  return errorBody.safeParse(jsonOf(answer)).data?.error ?? {};
}
/** It says so with status 400 or 401. */
export const isEnded = (answer: OutboundAnswer): boolean =>
  codes.ended.has(errorOf(answer).code ?? 0);

/** What an answer means that isn't a good one. Nothing of it is shown but Meta's codes. */
export function failed(
  answer: OutboundAnswer,
): Extract<StepsVerdict, { error: string }> & { shown?: string } {
  if (answer.status === null) return { state: 'retry', error: answer.error };
  const { code = 0, error_subcode: subcode, is_transient: isTransient } = errorOf(answer);
  const shown = JSON.stringify({ code, ...(subcode !== undefined && { error_subcode: subcode }) });
  if (codes.limited.has(code) || answer.status === 429) {
    const seconds = Math.max(60, answer.retryAfterSeconds ?? 0);
    return { state: 'wait', seconds, error: 'Meta asked to wait.', shown };
  }
  if (isTransient || codes.temporary.has(code) || answer.status >= 500)
    return { state: 'retry', error: 'Meta has a temporary problem.', shown };
  if (codes.notAllowed(code))
    return {
      state: 'refused',
      error: 'Meta doesn’t allow it. Connect the account again, and give access to the dataset.',
      shown,
    };
  if (code === 100 && subcode === 33)
    return {
      state: 'refused',
      error: 'Meta doesn’t know this dataset, or the account can’t use it. Choose another one.',
      shown,
    };
  if (answer.status === 400)
    return { state: 'refused', error: `Meta refused it: code ${code}.`, shown };
  return { state: 'retry', error: `Meta answered with status ${answer.status}.`, shown };
}
