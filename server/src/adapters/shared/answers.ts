import { createHash } from 'node:crypto';
import { z } from 'zod';
import { dots } from '#contract/integrations/rules';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';

/** The body of an answer as JSON; null: there is none. */
export function jsonOf(answer: OutboundAnswer): unknown {
  if (answer.status === null) return null;
  try {
    return z.json().parse(JSON.parse(answer.body));
  } catch {
    return null;
  }
}

/** A good answer as a schema reads it. Undefined: it isn't a good one. */
export function readAnswer<T>(answer: OutboundAnswer, schema: z.ZodType<T>): T | undefined {
  if (answer.status === null || answer.status < 200 || answer.status > 299) return undefined;
  return schema.safeParse(jsonOf(answer)).data;
}

/** A request of JSON, or one without a body, whose answer is read whole. */
export const jsonRequest = (
  method: OutboundRequest['method'],
  url: string,
  body?: object,
): OutboundRequest => ({
  url,
  method,
  headers: {
    accept: 'application/json',
    ...(body && { 'content-type': 'application/json' }),
  },
  body: body ? JSON.stringify(body) : '',
  whole: true,
});

/** SHA-256 in hex, as advertising platforms take what names a person. What is hidden stays hidden. */
export const sha256 = (text: string): string =>
  text.includes(dots) ? dots : createHash('sha256').update(text).digest('hex');
