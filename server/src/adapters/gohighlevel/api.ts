import { z } from 'zod';
import type { StepsVerdict } from '../../gateways/destination.ts';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import { jsonOf, jsonRequest } from '../shared/answers.ts';

/** GoHighLevel's API; the sandbox answers there in the demo. */
export const highLevelApi = 'https://services.leadconnectorhq.com';

/** A request as GoHighLevel takes it; its documents ask for the version. */
export function highLevelRequest(
  method: OutboundRequest['method'],
  path: string,
  body?: object,
): OutboundRequest {
  const request = jsonRequest(method, highLevelApi + path, body);
  return { ...request, headers: { ...request.headers, version: '2021-07-28' } };
}
/** The query of an address. */
export const queryOf = (values: Record<string, string>): string =>
  new URLSearchParams(values).toString();

/** A contact, as far as it is read. */
export const contact = z.looseObject({
  id: z.string(),
  firstName: z.string().nullish(),
  lastName: z.string().nullish(),
  email: z.string().nullish(),
  phone: z.string().nullish(),
  address1: z.string().nullish(),
  city: z.string().nullish(),
  state: z.string().nullish(),
  postalCode: z.string().nullish(),
  source: z.string().nullish(),
  tags: z.array(z.string()).nullish(),
  customFields: z.array(z.looseObject({ id: z.string(), value: z.unknown() })).nullish(),
});
export type HighLevelContact = z.infer<typeof contact>;
export const contactAnswer = z.object({ contact });

const errorBody = z.looseObject({
  message: z.union([z.string(), z.array(z.string())]).optional(),
  meta: z.looseObject({ contactId: z.string().optional() }).optional(),
});
/** What GoHighLevel says went wrong; empty: not in its words. */
export function errorOf(answer: OutboundAnswer): { message: string; contactId?: string } {
  const { message = '', meta } = errorBody.safeParse(jsonOf(answer)).data ?? {};
  const { contactId } = meta ?? {};
  return {
    message: Array.isArray(message) ? message.join(', ') : message,
    ...(contactId !== undefined && { contactId }),
  };
}

/** It says with status 400 that there is no such contact or opportunity. */
export const isMissing = (answer: OutboundAnswer): boolean =>
  answer.status === 404 || (answer.status === 400 && /not found/i.test(errorOf(answer).message));

/** What an answer means that isn't a good one. Its words may name people, so only the status is shown. */
export function failed(
  answer: OutboundAnswer,
): Extract<StepsVerdict, { error: string }> & { shown?: string } {
  if (answer.status === null) return { state: 'retry', error: answer.error };
  const { status } = answer;
  const shown = JSON.stringify({ statusCode: status });
  // "100 API requests per 10 seconds for each app per resource", of support article 48001060529.
  if (status === 429) {
    const seconds = Math.max(10, answer.retryAfterSeconds ?? 0);
    return { state: 'wait', seconds, error: 'GoHighLevel asked to wait.', shown };
  }
  if (status === 403)
    return {
      state: 'refused',
      error: 'GoHighLevel doesn’t allow it. Connect the account again to give access.',
      shown,
    };
  if (status === 400 || status === 422)
    return { state: 'refused', error: `GoHighLevel refused it with status ${status}.`, shown };
  return { state: 'retry', error: `GoHighLevel answered with status ${status}.`, shown };
}
