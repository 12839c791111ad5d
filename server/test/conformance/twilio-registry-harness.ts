import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { twilioCarrier } from '../../src/adapters/twilio/carrier.ts';
import type { TwilioSettings } from '../../src/adapters/twilio/settings.ts';
import type { Carrier } from '../../src/gateways/carrier.ts';
import { withAdapterSettings } from '../support/adapter-settings.ts';
import type { TestApp } from '../support/test-app.ts';
import { mockTwilioRegistry } from './twilio-mock/registry.ts';
import { startTwilioSpecMock } from './twilio-mock/spec.ts';

export const accountSid = `AC${'4'.repeat(32)}`;
export const authToken = 'the token of a simulated account';
export const publicUrl = 'https://phones.example.test';
/** Our numbers at Twilio. */
export const numbers = {
  local: ['+14155552311', '+14155552312'],
  toll_free: ['+18885552311', '+18885552312'],
} as const;

/** The parts of Twilio's OpenAPI that registrations and ports use. */
const documents: Parameters<typeof startTwilioSpecMock>[0] = [
  ['twilio_api_v2010', /\/(IncomingPhoneNumbers|Addresses|Messages)(\/\{Sid\})?\.json$/],
  [
    'twilio_trusthub_v1',
    /^\/v1\/(CustomerProfiles|TrustProducts|EndUsers|SupportingDocuments)(\/|$)/,
  ],
  ['twilio_messaging_v1', /^\/v1\/(a2p|Tollfree|Services)(\/|$)/],
  ['twilio_numbers_v1', /^\/v1\/Porting/],
];

/**
 * Twilio's registries: every request is checked against Twilio's OpenAPI and answered by the mock.
 * Start it in `beforeAll`.
 */
export async function startTwilioRegistries(app: TestApp) {
  const registry = mockTwilioRegistry();
  for (const number of [...numbers.local, ...numbers.toll_free])
    registry.owned.set(number, `PN${randomBytes(16).toString('hex')}`);
  registry.keptBack.add('+16175550199');
  const published = await startTwilioSpecMock(documents, registry.answer);
  const faults = { unreachable: false, losesResponses: false };

  const front = createServer((request, response) => {
    if (faults.unreachable) return void request.socket.destroy();
    void answer(request, response);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const apiUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', method = 'GET' } = request;
    const body = await text(request);
    const reply = (status: number, json: string) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(json);
    // Uploads of documents are in no document of Twilio's, and the list of port requests, which the
    // SDK reads, is not in the published one yet.
    if (url === '/v1/Documents' || url.startsWith('/v1/Porting/PortIn/PortInRequests')) {
      const own = registry.answer({
        method,
        url: new URL(url, 'http://x'),
        type: '',
        body: Buffer.from(body),
      });
      return reply(own?.status ?? 404, JSON.stringify(own?.body));
    }
    const { 'content-type': type = '', authorization = '' } = request.headers;
    const answered = await fetch(published.url + url, {
      method,
      headers: { authorization, ...(type && { 'content-type': type }) },
      ...(body && { body }),
    });
    if (faults.losesResponses && method === 'POST' && url === '/v1/Porting/PortIn')
      return void request.socket.destroy();
    reply(answered.status, await answered.text());
  }

  /** A carrier on this account. */
  const connect = (change: Partial<TwilioSettings> = {}): Carrier =>
    twilioCarrier({
      ...app.services,
      settings: withAdapterSettings({ ...app.services.settings, publicUrl }, 'twilio', {
        accountSid,
        authToken,
        apiKey: null,
        appSid: null,
        messagingServiceSid: null,
        customerProfileSid: `BU${'1'.repeat(32)}`,
        deleteRecordings: true,
        apiUrl,
        ...change,
      } satisfies TwilioSettings),
    });

  return {
    registry,
    published,
    apiUrl,
    faults,
    connect,
    async close(): Promise<void> {
      front.closeAllConnections();
      front.close();
      await published.close();
    },
  };
}

/** Twilio's signature of a form that it posts. */
export const signForm = (url: string, form: Readonly<Record<string, string>>, token = authToken) =>
  createHmac('sha1', token)
    .update(
      url +
        Object.keys(form)
          .sort()
          .map((key) => key + form[key])
          .join(''),
    )
    .digest('base64');

/** The query and signature of JSON that Twilio posts to a path of ours. */
export function signJson(path: string, json: string): { query: string; signature: string } {
  const query = `?bodySHA256=${createHash('sha256').update(json).digest('hex')}`;
  const signature = createHmac('sha1', authToken)
    .update(`${publicUrl}${path}${query}`)
    .digest('base64');
  return { query, signature };
}

/** A registration as the API takes it, for these numbers. */
export const sampleSmsCampaign = (numberIds: readonly number[]) => ({
  brand: {
    type: 'private',
    legal_name: 'Harbor Dental LLC',
    dba: 'Harbor Dental',
    ein: '12-1234567',
    industry: 'healthcare',
    website: 'harbor-dental.test',
    email: 'hello@harbor-dental.test',
    phone: '+12125552300',
    address: {
      line1: '1 Harbor Street',
      city: 'New York',
      state: 'NY',
      zip: '10001',
      country: 'US',
    },
    contact: {
      first_name: 'Olive',
      last_name: 'Owner',
      title: 'Owner',
      email: 'owner@harbor-dental.test',
      phone: '',
    },
  },
  campaign: {
    use_case: 'CUSTOMER_CARE',
    description: 'Appointment reminders and answers to questions of patients of the practice.',
    sample_messages: [
      'Harbor Dental: your visit is on Tuesday. Reply STOP to stop.',
      'Harbor Dental: your invoice is ready. Reply STOP to stop.',
    ],
    optins: [
      {
        type: 'text_to_join',
        description: 'Patients text JOIN to the number on the desk.',
        keywords: ['join'],
      },
    ],
    opt_in_message: 'Harbor Dental: welcome. Reply STOP to stop.',
    opt_out_message: 'Harbor Dental: you get no more texts.',
    help_message: 'Harbor Dental: call us.',
    privacy_url: 'https://harbor-dental.test/privacy',
    monthly_volume: '10,001-25,000',
    numbers: [...numberIds],
  },
});
