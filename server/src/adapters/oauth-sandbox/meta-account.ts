/** Meta, simulated: a business with ad accounts and datasets, and the rules of its Conversions API. */
import { z } from 'zod';
import type { OutboundAnswer, OutboundRequest } from '../../gateways/outbound.ts';
import type { GatewayServices } from '../adapter.ts';
import { countConversion } from './conversions.ts';
import { accountOfToken } from './grants.ts';

export const metaHost = 'graph.facebook.com';

const answer = (status: number, body: unknown): OutboundAnswer => ({
  ...{ status, body: JSON.stringify(body), retryAfterSeconds: null },
});
/** In the form of developers.facebook.com/docs/graph-api/guides/error-handling. */
const error = (status: number, code: number, message: string, more: object = {}) =>
  answer(status, {
    error: { message, type: 'OAuthException', code, ...more, fbtrace_id: 'AbcDefGhi123' },
  });

const pixels = [
  { id: '5301', name: 'Website' },
  { id: '5302', name: 'Landing pages' },
];
const conversions = [{ id: '5401', name: 'Lead from a call' }];
const adAccounts = [
  { id: 'act_5201', name: 'Harbor Dental', currency: 'USD', adspixels: pixels, conversions },
  { id: 'act_5202', name: 'Tests', currency: 'USD', adspixels: [], conversions: [] },
];
/** Lists by their path, after the version. */
const lists: Readonly<Record<string, (fields: string) => readonly object[]>> = {
  'me/businesses': () => [{ id: '5100', name: 'Harbor Dental' }],
  '5100/owned_ad_accounts': () =>
    adAccounts.map(({ id, name, currency }) => ({ id, name, currency })),
  'me/adaccounts': (fields) =>
    adAccounts.map(({ id, name, currency, adspixels, conversions: customs }) => ({
      ...{ id, name, currency },
      ...(fields.includes('adspixels') && { adspixels: { data: adspixels } }),
      ...(fields.includes('customconversions') && { customconversions: { data: customs } }),
    })),
  ...Object.fromEntries(
    adAccounts.flatMap(({ id, adspixels, conversions: customs }) => [
      [`${id}/adspixels`, () => adspixels],
      [`${id}/customconversions`, () => customs],
    ]),
  ),
};

/** What the simulated Meta answers to a call of its Graph API. */
export async function answerMeta(
  services: Pick<GatewayServices, 'db' | 'now'>,
  { url, method, headers, body }: OutboundRequest,
): Promise<OutboundAnswer> {
  const { pathname, searchParams } = new URL(url);
  const token = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '';
  if (!(await accountOfToken(services.db, 'metaads', token, services.now())))
    return error(400, 190, 'Error validating access token: Session has expired.', {
      error_subcode: 463,
    });
  const path = pathname.replace(/^\/v\d+\.\d+\//, '');
  const list = lists[path];
  if (list && method === 'GET') {
    const data = list(searchParams.get('fields') ?? '');
    return answer(200, { data, paging: { cursors: { before: 'a', after: 'b' } } });
  }
  const [, dataset = ''] = /^(\d+)\/events$/.exec(path) ?? [];
  if (method !== 'POST' || !pixels.some(({ id }) => id === dataset))
    return error(400, 100, `Unsupported ${method.toLowerCase()} request. Object does not exist.`, {
      error_subcode: 33,
    });
  return takeEvents(services, dataset, body);
}

/**
 * Of parameters/server-event and …/customer-information-parameters: what an event must have, hashes of
 * SHA-256 in hex, and where it came from.
 */
const hashes = z.array(z.string().regex(/^[0-9a-f]{64}$/)).optional();
const userData = z.strictObject({
  fbc: z
    .string()
    .regex(/^fb\.[0-2]\.\d{13}\.\S+$/)
    .optional(),
  fbp: z
    .string()
    .regex(/^fb\.[0-2]\.\d{13}\.\d+$/)
    .optional(),
  ph: hashes,
  em: hashes,
});
const sources = [
  ...(['email', 'website', 'app', 'phone_call', 'chat', 'physical_store'] as const),
  ...(['system_generated', 'business_messaging', 'other'] as const),
];
const sent = z.strictObject({
  data: z
    .array(
      z.strictObject({
        event_name: z.string().min(1).max(50),
        event_time: z.number().int(),
        event_id: z.string().min(1),
        action_source: z.enum(sources),
        user_data: userData,
        custom_data: z
          .strictObject({ currency: z.string().regex(/^[A-Z]{3}$/), value: z.number().min(0) })
          .optional(),
      }),
    )
    .min(1)
    // "up to 1,000 events in data", of using-the-api#batch.
    .max(1000),
  test_event_code: z.string().optional(),
});
const DAY_SECONDS = 86_400;

async function takeEvents(
  { db, now }: Pick<GatewayServices, 'db' | 'now'>,
  dataset: string,
  body: string,
): Promise<OutboundAnswer> {
  const read = sent.safeParse(JSON.parse(body));
  if (!read.success)
    return error(400, 100, 'Invalid parameter', { error_subcode: 2804019, is_transient: false });
  const { data, test_event_code: test } = read.data;
  const seconds = now().getTime() / 1000;
  // "If any event_time in data is greater than 7 days in the past, we return an error for the entire
  // request and process no events", of parameters/server-event.
  if (data.some((event) => event.event_time < seconds - 7 * DAY_SECONDS))
    return error(400, 100, 'Invalid parameter', {
      error_subcode: 2804003,
      error_user_title: 'Event Timestamp Too Old',
    });
  // Of parameters/customer-information-parameters: at least one.
  if (data.some(({ user_data: user }) => Object.values(user).every((value) => value === undefined)))
    return error(400, 100, 'Invalid parameter', {
      error_subcode: 2804050,
      error_user_title: 'You Haven’t Added Sufficient Customer Information Parameter Data',
    });
  // Those with a test code are shown in Events Manager, and aren't counted.
  for (const event of test === undefined ? data : [])
    // One of this name and ID is counted within 48 hours, of deduplicate-pixel-and-server-events.
    await countConversion(
      db,
      {
        ...{ provider: 'metaads', place: dataset, details: event },
        key: `${event.event_name}:${event.event_id}`,
      },
      now(),
    );
  return answer(200, { events_received: data.length, messages: [], fbtrace_id: 'AbcDefGhi123' });
}
