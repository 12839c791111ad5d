import type { CarrierRequest } from '../../ports/carrier.ts';
import { storable } from '../../platform/wire.ts';
import { sdk } from './api.ts';

/** A webhook's fields; null when Twilio did not sign it. Fields nobody knows are signed like the others and accepted. */
export function readSigned(
  request: CarrierRequest,
  authToken: string,
): Readonly<Record<string, string>> | null {
  const given = request.headers['x-twilio-signature'];
  const sent = new URLSearchParams(request.body.toString('utf8'));
  const all: Record<string, string | string[]> = {};
  for (const key of new Set(sent.keys())) {
    const values = sent.getAll(key);
    all[key] = values.length === 1 ? values[0]! : values;
  }
  // Over the address Twilio was given, whatever proxies made of it since.
  if (typeof given !== 'string' || !sdk().validateRequest(authToken, given, request.url, all))
    return null;
  return Object.fromEntries([...sent.entries()].map(([name, value]) => [name, storable(value)]));
}
