import { z } from 'zod';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import { jsonOf, jsonRequest } from '../shared/answers.ts';

/** HubSpot's API; the sandbox answers there in the demo. */
const hubspotApi = 'https://api.hubapi.com';

/** What an object of HubSpot looks like. */
export const hubspotObject = z.object({
  id: z.string(),
  properties: z.record(z.string(), z.string().nullable()).default({}),
  createdAt: z.string().optional(),
});
export type HubspotObject = z.infer<typeof hubspotObject>;
export const hubspotPage = z.object({ results: z.array(hubspotObject) });

/** A request to HubSpot's API. */
export const hubspotRequest = (
  method: OutboundRequest['method'],
  path: string,
  body?: object,
): OutboundRequest => jsonRequest(method, hubspotApi + path, body);

const errorBody = z.looseObject({
  category: z.string().optional(),
  message: z.string().optional(),
  policyName: z.string().optional(),
  errors: z
    .array(
      z.looseObject({
        code: z.string().optional(),
        context: z.record(z.string(), z.array(z.string())).optional(),
      }),
    )
    .optional(),
});

/** What HubSpot says went wrong; empty: not in its words. */
export function errorOf(answer: OutboundAnswer): z.infer<typeof errorBody> {
  if (answer.status === null) return {};
  return errorBody.safeParse(jsonOf(answer)).data ?? {};
}

/** Properties that HubSpot refuses, by its errors: they don’t exist, or don’t take the value. */
export function refusedProperties(answer: OutboundAnswer): string[] {
  if (answer.status !== 400) return [];
  const { message = '', errors = [] } = errorOf(answer);
  const named = errors.flatMap(({ context }) => context?.['propertyName'] ?? []);
  // Its message holds the same as JSON within a sentence.
  const quoted = [...message.matchAll(/"name":\s*"([a-z][a-z0-9_]*)"/g)].map((found) => found[1]);
  return [...new Set([...named, ...quoted])].filter((name) => name !== undefined);
}

/** Seconds to wait by which limit was reached: of a second (search), of ten seconds, of the day. */
export function waitSeconds(answer: OutboundAnswer): number {
  if (answer.status === null) return 10;
  const { policyName, message = '' } = errorOf(answer);
  const limit =
    policyName === 'DAILY'
      ? 3600
      : policyName === 'SECONDLY' || /secondly limit/i.test(message)
        ? 2
        : 10;
  return Math.max(limit, answer.retryAfterSeconds ?? 0);
}
