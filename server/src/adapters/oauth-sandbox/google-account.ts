/** Google Ads, simulated: customers with conversion actions, and the rules of its Data Manager API. */
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import type { GatewayServices } from '../adapter.ts';
import { conversionOf, countConversion } from './conversions.ts';
import { accountOfToken } from './grants.ts';

// The system role: the simulated accounts’ own tables have no company.

export const dataManagerHost = 'datamanager.googleapis.com';
export const adsHost = 'googleads.googleapis.com';
type Services = Pick<GatewayServices, 'db' | 'now'>;

const answer = (status: number, body: unknown): OutboundAnswer => ({
  ...{ status, body: JSON.stringify(body), retryAfterSeconds: null },
});
const error = (code: number, status: string, message: string, details: object[] = []) =>
  answer(code, { error: { code, status, message, details } });

const customers = [
  { id: '1112223333', descriptiveName: 'Harbor Dental', currencyCode: 'USD', manager: false },
  {
    id: '4445556666',
    descriptiveName: 'Harbor Dental, second location',
    currencyCode: 'USD',
    manager: false,
  },
  { id: '7778889999', descriptiveName: 'Agency', currencyCode: 'USD', manager: true },
];
const actions = [
  { id: '9001', name: 'Phone call', category: 'PHONE_CALL_LEAD' },
  { id: '9002', name: 'Qualified lead', category: 'QUALIFIED_LEAD' },
];
const campaigns = [
  { id: '2101', name: 'Implants', status: 'ENABLED' },
  { id: '2102', name: 'Emergency dentist', status: 'ENABLED' },
  { id: '2103', name: 'Summer whitening', status: 'PAUSED' },
];

const isSignedIn = async (
  { db, now }: Services,
  { headers }: OutboundRequest,
): Promise<boolean> => {
  const token = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '';
  return (await accountOfToken(db, 'googleads', token, now())) !== null;
};
const unauthenticated = () =>
  error(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');

const PAGE = 2;
const searched = z.strictObject({ query: z.string(), pageToken: z.string().optional() });

/** What the simulated Google Ads API answers: lists, page by page. */
export async function answerGoogleAds(
  services: Services,
  request: OutboundRequest,
): Promise<OutboundAnswer> {
  if (!(await isSignedIn(services, request))) return unauthenticated();
  // Of developers.google.com/google-ads/api/docs/get-started/dev-token: each request has one.
  if (!request.headers['developer-token'])
    return error(403, 'PERMISSION_DENIED', 'A developer token is missing.', [
      { reason: 'DEVELOPER_TOKEN_MISSING' },
    ]);
  const { pathname } = new URL(request.url);
  if (pathname.endsWith('/customers:listAccessibleCustomers'))
    return answer(200, { resourceNames: customers.map(({ id }) => `customers/${id}`) });
  const [, id] = /\/customers\/(\d+)\/googleAds:search$/.exec(pathname) ?? [];
  const own = customers.find((one) => one.id === id);
  const asked = searched.safeParse(JSON.parse(request.body || 'null')).data;
  if (!own || !asked)
    return error(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.');
  const [, from = ''] = / FROM (\w+)/.exec(asked.query) ?? [];
  const found: Readonly<Record<string, object[]>> = {
    customer_client: (own.manager ? customers : [own]).map((customerClient) => ({
      customerClient,
    })),
    campaign: campaigns.map((campaign) => ({ campaign })),
    conversion_action: actions.map((conversionAction) => ({ conversionAction })),
  };
  const all = found[from] ?? [];
  const at = Number(asked.pageToken ?? 0);
  const next = all.length > at + PAGE ? { nextPageToken: String(at + PAGE) } : {};
  return answer(200, { results: all.slice(at, at + PAGE), ...next });
}

const productAccount = z.strictObject({
  accountType: z.literal('GOOGLE_ADS'),
  accountId: z.string().regex(/^\d{10}$/),
});
const consent = z.enum(['CONSENT_GRANTED', 'CONSENT_DENIED']);
/** Of destination.proto and event.proto; unknown fields are refused as the API does. */
const ingested = z.strictObject({
  destinations: z
    .array(
      z.strictObject({
        operatingAccount: productAccount,
        loginAccount: productAccount.optional(),
        productDestinationId: z.string().min(1),
      }),
    )
    .min(1)
    .max(10),
  events: z
    .array(
      z.strictObject({
        transactionId: z.string().min(1).max(512),
        eventTimestamp: z.iso.datetime(),
        eventSource: z.enum(['WEB', 'APP', 'IN_STORE', 'PHONE', 'MESSAGE', 'OTHER']),
        adIdentifiers: z
          .strictObject({
            gclid: z.string().optional(),
            gbraid: z.string().optional(),
            wbraid: z.string().optional(),
          })
          .optional(),
        userData: z
          .strictObject({
            userIdentifiers: z
              .array(z.strictObject({ phoneNumber: z.string().regex(/^[0-9a-f]{64}$/) }))
              .min(1)
              .max(10),
          })
          .optional(),
        conversionValue: z.number().min(0).optional(),
        currency: z
          .string()
          .regex(/^[A-Z]{3}$/)
          .optional(),
        consent: z.strictObject({ adUserData: consent, adPersonalization: consent }).optional(),
      }),
    )
    .min(1)
    // "At most 2000 Event resources can be sent in a single request", of ingestion_service.proto.
    .max(2000),
  encoding: z.enum(['HEX', 'BASE64']).optional(),
  validateOnly: z.boolean().optional(),
});
type Ingested = z.infer<typeof ingested>;

const invalidField = (field: string, reason: string) =>
  error(400, 'INVALID_ARGUMENT', 'There was a problem with the request.', [
    { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field, reason }] },
  ]);

/** What is wrong with a request at once. Null: it is taken. */
function refusal({ destinations, events, encoding }: Ingested): OutboundAnswer | null {
  for (const [at, { operatingAccount, productDestinationId: action }] of destinations.entries()) {
    if (!customers.some(({ id }) => id === operatingAccount.accountId))
      return error(403, 'PERMISSION_DENIED', 'The caller does not have permission.', [
        { reason: 'INSUFFICIENT_PERMISSION' },
      ]);
    if (!actions.some(({ id }) => id === action))
      return invalidField(`destinations[${at}].product_destination_id`, 'INVALID_DESTINATION');
  }
  for (const [at, event] of events.entries()) {
    // Of send-events#identifiers: at least one of them.
    if (!event.adIdentifiers && !event.userData)
      return invalidField(`events[${at}]`, 'NO_IDENTIFIERS_PROVIDED');
    if (event.userData && !encoding) return invalidField('encoding', 'REQUIRED_FIELD_MISSING');
    if (event.conversionValue !== undefined && !event.currency)
      return invalidField(`events[${at}].currency`, 'REQUIRED_FIELD_MISSING');
  }
  return null;
}

/** What the simulated Data Manager API answers. */
export async function answerDataManager(
  services: Services,
  request: OutboundRequest,
): Promise<OutboundAnswer> {
  if (!(await isSignedIn(services, request))) return unauthenticated();
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/v1/requestStatus:retrieve')
    return lookAt(services, searchParams.get('requestId') ?? '');
  if (pathname !== '/v1/events:ingest' || request.method !== 'POST')
    return error(404, 'NOT_FOUND', 'Method not found.');
  const read = ingested.safeParse(JSON.parse(request.body));
  if (!read.success)
    return invalidField(read.error.issues[0]?.path.join('.') ?? 'body', 'INVALID_VALUE');
  const refused = refusal(read.data);
  if (refused) return refused;
  const requestId = createHash('sha256').update(request.body).digest('hex').slice(0, 16);
  if (read.data.validateOnly) return answer(200, { requestId });
  return take(services, read.data, requestId);
}

/** Of conversion-adjustments: a transaction ID that is known changes its value, and counts nothing more. */
async function take(
  { db, now }: Services,
  sent: Ingested,
  requestId: string,
): Promise<OutboundAnswer> {
  for (const { operatingAccount, productDestinationId: action } of sent.destinations)
    for (const event of sent.events) {
      // Google counts it once it looked at it; a click that it doesn't know it leaves out.
      if (event.adIdentifiers?.gclid?.startsWith('unknown')) continue;
      const place = `${operatingAccount.accountId}/${action}`;
      const key = event.transactionId;
      const of = { provider: 'googleads', place, key };
      const before = await conversionOf(db, of);
      await countConversion(db, { ...of, details: { ...event } }, now());
      if (!before || event.conversionValue === undefined) continue;
      await sql`update sandbox.conversion
        set details = details || ${JSON.stringify({ conversionValue: event.conversionValue, currency: event.currency })}::jsonb
        where provider = 'googleads' and place = ${place} and key = ${key}`.execute(db.unscoped);
    }
  const isUnknown = sent.events.some((one) => one.adIdentifiers?.gclid?.startsWith('unknown'));
  return answer(200, { requestId: isUnknown ? `unknown-${requestId}` : requestId });
}

async function lookAt(_: Services, requestId: string): Promise<OutboundAnswer> {
  const isUnknown = requestId.startsWith('unknown-');
  return answer(200, {
    requestStatusPerDestination: [
      {
        requestStatus: isUnknown ? 'FAILED' : 'SUCCESS',
        eventsIngestionStatus: { recordCount: '1' },
        ...(isUnknown && {
          errorInfo: {
            errorCounts: [{ recordCount: '1', reason: 'PROCESSING_ERROR_REASON_INVALID_GCLID' }],
          },
        }),
      },
    ],
  });
}
