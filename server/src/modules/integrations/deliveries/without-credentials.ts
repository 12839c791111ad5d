import { dots } from '#contract/integrations/rules';
import type { OutboundAnswer, OutboundRequest } from '../../../gateways/outbound.ts';

/** Headers that say nothing of who sends. */
const plainHeaders = new Set([
  ...['content-type', 'user-agent', 'accept'],
  ...['webhook-id', 'webhook-timestamp'],
]);
/** Shorter values are words that an answer has anyway. Characters. */
const SHORTEST_SECRET = 6;

/**
 * An answer in which the receiver repeats no key that it was sent: neither a header nor a value of the
 * address. Some show the whole request when they refuse it.
 */
export function withoutCredentials(
  answer: OutboundAnswer,
  { url, headers }: Pick<OutboundRequest, 'url' | 'headers'>,
): OutboundAnswer {
  if (answer.status === null) return answer;
  const sent = Object.entries(headers)
    .filter(([name]) => !plainHeaders.has(name.toLowerCase()))
    // With and without its scheme, such as `Bearer`.
    .flatMap(([, value]) => [value, value.slice(value.indexOf(' ') + 1)]);
  const asked = [...new URL(url).searchParams.values()].flatMap((value) => [
    value,
    encodeURIComponent(value),
  ]);
  let { body } = answer;
  for (const value of [...sent, ...asked])
    if (value.length >= SHORTEST_SECRET) body = body.replaceAll(value, dots);
  return { ...answer, body };
}
