import type { WebhookRequest } from '../../gateways/carrier.ts';
import { toStorableText } from '../../platform/http/request-fields.ts';
import { firstOf } from '../../platform/must-be.ts';
import { sdk } from './api.ts';

/**
 * A webhook's fields; null when Twilio did not sign it. Unknown fields are signed too, and
 * accepted.
 */
export function readSignedForm(
  request: WebhookRequest,
  authToken: string,
): Readonly<Record<string, string>> | null {
  const given = request.headers['x-twilio-signature'];
  const sent = new URLSearchParams(request.body.toString('utf8'));
  const fields: Record<string, string | string[]> = {};
  for (const key of new Set(sent.keys())) {
    const values = sent.getAll(key);
    fields[key] = values.length === 1 ? firstOf(values) : values;
  }
  // The signature covers the URL that Twilio knows, not the one behind our proxies.
  if (typeof given !== 'string' || !sdk().validateRequest(authToken, given, request.url, fields))
    return null;
  return Object.fromEntries(
    [...sent.entries()].map(([name, value]) => [name, toStorableText(value)]),
  );
}
