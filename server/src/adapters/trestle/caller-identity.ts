/**
 * Trestle (reverse phone, version 3.2). Verified against its public reference (docs.trestleiq.com)
 * only, not with a live account.
 */
import { z } from 'zod';
import { createHttpClient, parseJson } from '../../platform/http-client/http-client.ts';
import type {
  CallerLookupResult,
  CallerIdentity,
  CallerIdentityGateway,
} from '../../gateways/caller-identity.ts';

const text = z
  .string()
  .nullish()
  .transform((v) => v || null);
/** The reference shows some fields both as a string and as a list. */
const texts = z
  .union([z.array(z.string()), z.string()])
  .nullish()
  .transform((v) => (v ? [v].flat() : []));
const address = z.looseObject({
  street_line_1: text,
  street_line_2: text,
  city: text,
  state_code: text,
  postal_code: text,
});
const owner = z.looseObject({
  name: text,
  type: text,
  age_range: text,
  gender: text,
  industry: texts,
  emails: texts,
  current_addresses: z
    .array(address)
    .nullish()
    .transform((v) => v ?? []),
  alternate_phones: z
    .array(z.union([z.string(), z.looseObject({ phone_number: text })]))
    .nullish()
    .transform((v) => v ?? []),
});
const Phone = z.looseObject({
  is_valid: z.boolean().nullish(),
  line_type: text,
  carrier: text,
  is_prepaid: z.boolean().nullish(),
  is_commercial: z.boolean().nullish(),
  owners: z
    .array(owner)
    .nullish()
    .transform((v) => v ?? []),
  error: z.looseObject({ message: text }).nullish(),
});

const lineTypes: Record<string, CallerIdentity['line_type']> = {
  Mobile: 'mobile',
  Landline: 'landline',
  FixedVOIP: 'voip',
  NonFixedVOIP: 'voip',
  TollFree: 'toll_free',
};
const e164 = (phone: string | null) =>
  phone ? (phone.startsWith('+') ? phone : /^\d{10}$/.test(phone) ? `+1${phone}` : null) : null;

/**
 * Trestle as source of callers' names. A refused key gives `notConfigured`; the lookup throws when
 * Trestle fails.
 */
export const trestleIdentity = (settings: {
  apiKey: string;
  url?: string;
}): CallerIdentityGateway => {
  const client = createHttpClient({ target: 'trestle', totalMs: 10_000 });
  return {
    name: 'trestle',
    lookUp: async ({ number, nameHint, zipHint }): Promise<CallerLookupResult> => {
      const query = new URLSearchParams({
        phone: number,
        ...(nameHint ? { 'phone.name_hint': nameHint } : {}),
        ...(zipHint ? { 'phone.postal_code_hint': zipHint } : {}),
      });
      const answer = await client.request(
        `${settings.url ?? 'https://api.trestleiq.com'}/3.2/phone?${query}`,
        { headers: { 'x-api-key': settings.apiKey, accept: 'application/json' } },
      );
      if (answer.status === 401 || answer.status === 403) return { state: 'notConfigured' }; // the key is wrong or revoked
      if (answer.status === 400 || answer.status === 404)
        return { state: 'notFound', source: 'trestle', billable: false };
      if (answer.status >= 300) throw new Error(`Trestle answered ${answer.status}.`);
      const said = Phone.parse(parseJson(answer.body));
      const [first] = said.owners;
      if (said.is_valid === false || (!first && !said.carrier && !said.line_type))
        return { state: 'notFound', source: 'trestle', billable: true };
      const type =
        first?.type === 'Person' ? 'person' : first?.type === 'Business' ? 'business' : 'unknown';
      return {
        state: 'found',
        billable: true,
        identity: {
          name: first?.name ?? null,
          type,
          line_type: lineTypes[said.line_type ?? ''] ?? 'other',
          carrier: said.carrier,
          is_prepaid: said.is_prepaid ?? null,
          is_commercial: said.is_commercial ?? null,
          age_range: first?.age_range ?? null,
          gender: first?.gender ?? null,
          emails: first?.emails ?? [],
          addresses: (first?.current_addresses ?? []).map((a) => ({
            street: [a.street_line_1, a.street_line_2].filter(Boolean).join(', '),
            city: a.city ?? '',
            state: a.state_code ?? '',
            zip: a.postal_code ?? '',
          })),
          alternate_phones: (first?.alternate_phones ?? []).flatMap(
            (p) => e164(typeof p === 'string' ? p : p.phone_number) ?? [],
          ),
          business:
            type === 'business' && first?.name
              ? { name: first.name, industry: first.industry[0] ?? null }
              : null,
          source: 'trestle',
        },
      };
    },
  };
};
