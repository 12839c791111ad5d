import { createServer } from 'node:http';
import { bandwidthSettings } from '../../src/adapters/bandwidth/settings.ts';
import { withAdapterSettings } from '../support/adapter-settings.ts';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { registration as contract } from '#contract';
import { noFaults, setFaults } from '../../src/adapters/sandbox/fault-injection.ts';
import { bandwidthCarrier } from '../../src/adapters/bandwidth/carrier.ts';
import { webhookKeyOf } from '../../src/adapters/bandwidth/client.ts';
import { twilioCarrier } from '../../src/adapters/twilio/carrier.ts';
import { readSettings } from '../../src/settings.ts';
import type { Carrier, WebhookRequest, CarrierEventSink } from '../../src/gateways/carrier.ts';
import type { PortReport } from '../../src/gateways/porting.ts';
import { createTestApp } from '../support/test-app.ts';
import { mockBandwidthDashboard } from './bandwidth-mock/dashboard.ts';
import { testPortingConformance, refOf, samplePortOrder } from './porting.ts';
import { startTwilioSpecMock } from './twilio-mock/spec.ts';
import { testRegistrationConformance, sampleRegistration } from './registration.ts';
import { mockTwilioRegistry } from './twilio-mock/registry.ts';

const app = await createTestApp();
const { unscoped: directory } = app.services.db;
const outage = async (on: boolean) => void setFaults({ ...noFaults, outage: on });
afterAll(() => setFaults(noFaults));
const post = (url: string) => app.server.inject({ method: 'POST', url });
const count = async (query: ReturnType<typeof sql<{ n: number }>>) =>
  (await query.execute(directory)).rows[0]!.n;

describe('the sandbox', () => {
  const sandbox = app.services.gateways.carriers.byName('sandbox')!;
  for (const kind of ['local', 'toll_free'] as const)
    describe(kind, () =>
      testRegistrationConformance(async () => ({
        registration: sandbox.registration!,
        kind,
        numbers:
          kind === 'local' ? ['+14155552301', '+14155552302'] : ['+18885552301', '+18885552302'],
        setUnreachable: outage,
        decide: async (ref) => void (await post(`/sandbox/registrations/${ref}/review`)),
        createdCount: () => count(sql`select count(*)::int n from sandbox.registration`),
      })),
    );
  const stateOf = async (ref: string) =>
    (
      await sql<{ state: string }>`select state from sandbox.port where ref = ${ref}`.execute(
        directory,
      )
    ).rows[0]?.state;
  describe('ports', () =>
    testPortingConformance(async () => ({
      porting: sandbox.porting!,
      portable: '+16175550123',
      unportable: '+16175550199',
      setUnreachable: outage,
      loseResponses: async (on) => void setFaults({ ...noFaults, dropAfterEffectRate: on ? 1 : 0 }),
      createdCount: () =>
        count(sql`select count(*)::int n from sandbox.port where state <> 'canceled'`),
      reach: async (ref, state) => {
        for (let i = 0; i < 4 && (await stateOf(ref)) !== state; i++)
          await post(`/sandbox/ports/${ref}/advance`);
      },
    })));
});

describe('Twilio, every question checked by its own OpenAPI', () => {
  const accountSid = `AC${'4'.repeat(32)}`,
    authToken = 'the token of a simulated account',
    publicUrl = 'https://phones.example.test';
  const registry = mockTwilioRegistry();
  const numbers = {
    local: ['+14155552311', '+14155552312'],
    toll_free: ['+18885552311', '+18885552312'],
  } as const;
  for (const n of [...numbers.local, ...numbers.toll_free])
    registry.owned.set(n, `PN${randomBytes(16).toString('hex')}`);
  registry.keptBack.add('+16175550199');
  let published: Awaited<ReturnType<typeof startTwilioSpecMock>>;
  let uploads: ReturnType<typeof createServer>;
  let carrier: Carrier;
  let [away, losing] = [false, false];
  beforeAll(async () => {
    published = await startTwilioSpecMock(
      [
        ['twilio_api_v2010', /\/(IncomingPhoneNumbers|Addresses|Messages)(\/\{Sid\})?\.json$/],
        [
          'twilio_trusthub_v1',
          /^\/v1\/(CustomerProfiles|TrustProducts|EndUsers|SupportingDocuments)(\/|$)/,
        ],
        ['twilio_messaging_v1', /^\/v1\/(a2p|Tollfree|Services)(\/|$)/],
        ['twilio_numbers_v1', /^\/v1\/Porting/],
      ],
      registry.answer,
    );
    // In front: being away, and the upload of documents, which stands in no document of Twilio's.
    uploads = createServer((request, response) => {
      if (away) return void request.socket.destroy();
      const chunks: Buffer[] = [];
      request.on('data', (c: Buffer) => chunks.push(c));
      request.on(
        'end',
        () =>
          void (async () => {
            const body = Buffer.concat(chunks);
            if (request.url === '/v1/Documents') {
              const said = registry.answer({
                method: 'POST',
                url: new URL('http://x/v1/Documents'),
                type: '',
                body,
              })!;
              return void response
                .writeHead(said.status, { 'content-type': 'application/json' })
                .end(JSON.stringify(said.body));
            }
            // The SDK lists port requests; the published document does not know that address yet.
            if (request.url!.startsWith('/v1/Porting/PortIn/PortInRequests')) {
              const said = registry.answer({
                method: 'GET',
                url: new URL(request.url!, 'http://x'),
                type: '',
                body,
              })!;
              return void response
                .writeHead(said.status, { 'content-type': 'application/json' })
                .end(JSON.stringify(said.body));
            }
            const {
              host: _,
              connection: __,
              'transfer-encoding': ___,
              'content-length': ____,
              ...headers
            } = request.headers;
            const answer = await fetch(published.url + request.url!, {
              method: request.method!,
              headers: headers as Record<string, string>,
              ...(body.length ? { body } : {}),
            });
            if (losing && request.method === 'POST' && request.url === '/v1/Porting/PortIn')
              return void request.socket.destroy();
            response
              .writeHead(answer.status, { 'content-type': 'application/json' })
              .end(await answer.text());
          })(),
      );
    });
    await new Promise<void>((resolve) => uploads.listen(0, '127.0.0.1', resolve));
    const apiUrl = `http://127.0.0.1:${(uploads.address() as { port: number }).port}`;
    carrier = twilioCarrier({
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
      }),
    });
  }, 180_000);
  afterAll(async () => {
    await carrier.close?.();
    uploads.closeAllConnections();
    uploads.close();
    await published.close();
  });
  const here = () => ({
    ...carrier.registration!,
    submit: (...a: Parameters<NonNullable<Carrier['registration']>['submit']>) =>
      carrier.registration!.submit(...a),
  });

  describe('brands and campaigns', () =>
    testRegistrationConformance(async () => ({
      registration: here(),
      kind: 'local',
      numbers: numbers.local,
      setUnreachable: async (on) => {
        away = on;
      },
      createdCount: async () => registry.tables.brands.size,
      async decide(_, verdict) {
        for (const bundle of [
          ...registry.tables.profiles.values(),
          ...registry.tables.trusts.values(),
        ])
          if (bundle['status'] === 'pending-review') bundle['status'] = 'twilio-approved';
        for (const brand of registry.tables.brands.values())
          if (brand['status'] === 'PENDING')
            Object.assign(brand, { status: 'APPROVED', brand_score: 64 });
        for (const c of registry.tables.campaigns.values())
          if (c['campaign_status'] === 'IN_PROGRESS')
            Object.assign(
              c,
              verdict === 'approve'
                ? { campaign_status: 'VERIFIED' }
                : {
                    campaign_status: 'FAILED',
                    errors: [
                      {
                        error_code: 30893,
                        description: 'A sample message does not say how to stop.',
                        fields: ['MESSAGE_SAMPLES'],
                      },
                    ],
                  },
            );
      },
    })));
  describe('toll-free verifications', () =>
    testRegistrationConformance(async () => ({
      registration: here(),
      kind: 'toll_free',
      numbers: numbers.toll_free,
      setUnreachable: async (on) => {
        away = on;
      },
      createdCount: async () => registry.tables.verifications.size,
      async decide(_, verdict) {
        for (const v of registry.tables.verifications.values())
          if (v['status'] === 'PENDING_REVIEW')
            Object.assign(
              v,
              verdict === 'approve'
                ? { status: 'TWILIO_APPROVED' }
                : {
                    status: 'TWILIO_REJECTED',
                    rejection_reason: 'The opt-in picture cannot be opened.',
                  },
            );
      },
    })));
  describe('ports', () =>
    testPortingConformance(async () => ({
      porting: carrier.porting!,
      portable: '+16175550123',
      unportable: '+16175550199',
      setUnreachable: async (on) => {
        away = on;
      },
      loseResponses: async (on) => {
        losing = on;
      },
      createdCount: async () =>
        [...registry.tables.ports.values()].filter(
          (p) => p['port_in_request_status'] !== 'Canceled',
        ).length,
      async reach(ref, state) {
        const row = registry.tables.ports.get(ref)!;
        row['port_in_request_status'] = {
          inProgress: 'In Progress',
          firmOrderScheduled: 'In Progress',
          completed: 'Completed',
          rejected: 'Action Required',
        }[state];
        const lines = row['phone_numbers'] as Record<string, unknown>[];
        if (state === 'firmOrderScheduled')
          for (const n of lines) n['port_date'] = '2026-12-16T15:00:00Z';
        if (state === 'rejected')
          for (const n of lines)
            Object.assign(n, {
              rejection_reason: 'The PIN is not the one on the account',
              rejection_reason_code: 44,
            });
      },
    })));

  it('an order or a document that Twilio refuses is refused in its words, and nothing stands there', async () => {
    const before = registry.tables.ports.size;
    registry.refuse = {
      path: '/Porting/PortIn',
      body: {
        code: 22102,
        message: 'The account number does not match the losing carrier.',
        status: 400,
      },
    };
    const order = samplePortOrder('+16175550125');
    expect(await carrier.porting!.submit(order)).toEqual({
      refused: {
        code: '22102',
        text: 'The account number does not match the losing carrier.',
        fix: 'Correct it and submit again.',
      },
    });
    registry.refuse = {
      path: '/Documents',
      body: { code: 22220, message: 'The document is not readable.', status: 400 },
    };
    expect(await carrier.porting!.submit(order)).toEqual({
      refused: {
        code: '400',
        text: 'Twilio rejected the document “bill.pdf”: The document is not readable.',
        fix: 'Correct it and submit again.',
      },
    });
    registry.refuse = {
      path: '/Porting/PortIn',
      body: { code: 20003, message: 'Authenticate', status: 401 },
    };
    await expect(carrier.porting!.submit(order)).rejects.toThrow();
    registry.refuse = null;
    expect([registry.tables.ports.size, await carrier.porting!.getOrder(order.key)]).toEqual([
      before,
      null,
    ]);
  });
  it('a brand the registry does not know is refused with its words, mended where it stands and approved', async () => {
    const papers = sampleRegistration('local', [numbers.local[0]]);
    const { ref } = await carrier.registration!.submit(papers, 'r.1.77.local', 1);
    const brand = [...registry.tables.brands.values()].at(-1)!;
    Object.assign(brand, {
      status: 'FAILED',
      errors: [
        { code: 30795, description: 'The tax number is not this company’s.', fields: ['TAX_ID'] },
      ],
    });
    expect(await carrier.registration!.getStatus(ref)).toMatchObject({
      state: 'rejected',
      objections: [
        {
          code: '30795',
          text: 'The tax number is not this company’s.',
          fix: 'Fix tax id, then submit again.',
        },
      ],
    });
    await carrier.registration!.submit(
      { ...papers, brand: { ...papers.brand, ein: '987654321' } },
      'r.1.77.local',
      2,
    );
    expect(JSON.stringify([...registry.tables.users.values()])).toContain('987654321');
    expect([brand['status'], registry.tables.brands.size]).toEqual([
      'PENDING',
      registry.tables.brands.size,
    ]);
    Object.assign(brand, { status: 'APPROVED', brand_score: 71 });
    expect(await carrier.registration!.getStatus(ref)).toMatchObject({
      state: 'in_review',
      brandScore: 71,
    });
  });
  it('an answer that was lost is looked for, so that no fee is paid twice', async () => {
    const before = registry.tables.brands.size;
    await carrier.registration!.submit(
      sampleRegistration('local', [numbers.local[0]]),
      'r.1.78.local',
      1,
    );
    // As if the process had died between Twilio's answer and our note of it.
    const { rows } = await sql<{
      ids: Record<string, string>;
    }>`select facts -> 'ids' ids from carrier_object where key = 'r.1.78.local'`.execute(directory);
    await sql`update carrier_object set facts = facts || ${JSON.stringify({ ids: { ...rows[0]!.ids, brand: 'asked' } })}::jsonb where key = 'r.1.78.local'`.execute(
      directory,
    );
    await carrier.registration!.getStatus('r.1.78.local');
    expect(registry.tables.brands.size - before).toBe(1);
  });
  it('webhooks only name what moved, and only when Twilio signed them', async () => {
    const heard = { refs: [] as string[], ports: [] as PortReport[] };
    const sink: CarrierEventSink = {
      onVoiceEvents: async () => ({ performed: Promise.resolve() }),
      onTexts: async () => {},
      onDeliveryReports: async () => {},
      onRegistrationChanges: async (r) => {
        heard.refs.push(...r);
      },
      onPortReports: async (p) => {
        heard.ports.push(...p);
      },
    };
    const send = (
      path: string,
      body: string,
      query: string,
      signed: string,
      type = 'application/x-www-form-urlencoded',
    ) => {
      const hook = carrier.webhooks!.find((w) => w.path === path)!;
      const request: WebhookRequest = {
        method: 'POST',
        url: `${publicUrl}${path}${query}`,
        path,
        query: new URLSearchParams(query),
        params: {},
        headers: { 'x-twilio-signature': signed, 'content-type': type },
        body: Buffer.from(body),
        ip: '',
      };
      return hook.handle(request, sink);
    };
    const form = {
      AccountSid: accountSid,
      BundleSid: `BU${'2'.repeat(32)}`,
      Status: 'twilio-approved',
    };
    const address = '/carriers/twilio/registrations';
    const signForm = (token: string) =>
      createHmac('sha1', token)
        .update(
          `${publicUrl}${address}?registration=r.1.78.local${Object.keys(form)
            .sort()
            .map((k) => k + form[k as 'Status'])
            .join('')}`,
        )
        .digest('base64');
    expect(
      await send(
        address,
        new URLSearchParams(form).toString(),
        '?registration=r.1.78.local',
        signForm('another'),
      ),
    ).toMatchObject({ status: 403 });
    expect(heard.refs).toEqual([]);
    expect(
      await send(
        address,
        new URLSearchParams(form).toString(),
        '?registration=r.1.78.local',
        signForm(authToken),
      ),
    ).toMatchObject({ status: 204 });
    expect(heard.refs).toEqual(['r.1.78.local']);
    // Brands and campaigns come as events, in JSON that is signed by its hash in the address.
    const brand = [...registry.tables.brands.values()].at(-1)!.sid;
    const events = JSON.stringify([
      {
        type: 'com.twilio.messaging.compliance.brand-registration.brand-registered',
        data: { brandsid: brand },
      },
    ]);
    const query = `?bodySHA256=${createHash('sha256').update(events).digest('hex')}`;
    const signed = createHmac('sha1', authToken)
      .update(`${publicUrl}${address}${query}`)
      .digest('base64');
    expect(
      await send(
        address,
        events.replace('registered', 'forged'),
        query,
        signed,
        'application/json',
      ),
    ).toMatchObject({ status: 403 });
    heard.refs = [];
    expect(await send(address, events, query, signed, 'application/json')).toMatchObject({
      status: 204,
    });
    expect(heard.refs).toEqual(['r.1.78.local']);

    const ref = refOf(
      await carrier.porting!.submit(samplePortOrder('+16175550124', { key: 'port-1-4242' })),
    );
    registry.tables.ports.get(ref)!['port_in_request_status'] = 'In Progress';
    const said = JSON.stringify({ port_in_request_sid: ref, status: 'whatever it says' });
    const where = `?bodySHA256=${createHash('sha256').update(said).digest('hex')}`;
    expect(
      await send(
        '/carriers/twilio/ports',
        said,
        where,
        createHmac('sha1', authToken)
          .update(`${publicUrl}/carriers/twilio/ports${where}`)
          .digest('base64'),
        'application/json',
      ),
    ).toMatchObject({ status: 204 });
    expect(heard.ports).toMatchObject([{ key: 'port-1-4242', state: 'inProgress' }]);
  });
  it('what a toll-free verification and a brand need is said in Twilio’s words: kind and number of the business, low volume, no vetting', async () => {
    const tollFree = sampleRegistration('toll_free', [numbers.toll_free[0]]);
    await carrier.registration!.submit(
      { ...tollFree, brand: { ...tollFree.brand, type: 'GOVERNMENT' } },
      'r.1.79.toll_free',
      1,
    );
    expect([...registry.tables.verifications.values()].at(-1)).toMatchObject({
      business_type: 'GOVERNMENT',
      business_registration_number: '123456789',
      business_registration_authority: 'EIN',
      business_registration_country: 'US',
      business_contact_phone: '+12125550148',
    });
    await carrier.registration!.end('r.1.79.toll_free');
    const low = sampleRegistration('local', [numbers.local[1]]);
    await carrier.registration!.submit(
      { ...low, campaign: { ...low.campaign, lowVolume: true, monthlyVolume: 10_000 } },
      'r.1.80.local',
      1,
    );
    const brand = [...registry.tables.brands.values()].at(-1)!;
    Object.assign(brand, { status: 'APPROVED', brand_score: 50 });
    await carrier.registration!.getStatus('r.1.80.local');
    expect(brand['skip_automatic_sec_vet']).toBe('true');
    expect([...registry.tables.campaigns.values()].at(-1)).toMatchObject({
      us_app_to_person_usecase: 'LOW_VOLUME',
    });
    expect(
      [...registry.tables.users.values()]
        .map((u) => String(u['attributes']))
        .filter((said) => said.includes('business_type'))
        .at(-1),
    ).toContain('Limited Liability Corporation');
    expect([
      carrier.registration!.brandFeeCents(true),
      carrier.registration!.brandFeeCents(false),
    ]).toEqual([450, 4600]);
    await carrier.registration!.end('r.1.80.local');
    expect(registry.complaints).toEqual([]);
  });
  it('a number that registers leaves the shared messaging service, and its texts do not name that one any more', async () => {
    const [shared, number] = [`MG${'5'.repeat(32)}`, numbers.local[0]];
    // What registered it before is over: it is in no service of its own.
    for (const before of ['r.1.77.local', 'r.1.78.local']) await carrier.registration!.end(before);
    const sid = registry.owned.get(number)!;
    registry.members.set(shared, new Map([[sid, number]]));
    const sharing = twilioCarrier({
      ...app.services,
      settings: withAdapterSettings({ ...app.services.settings, publicUrl }, 'twilio', {
        accountSid,
        authToken,
        apiKey: null,
        appSid: null,
        messagingServiceSid: shared,
        customerProfileSid: null,
        deleteRecordings: true,
        apiUrl: `http://127.0.0.1:${(uploads.address() as { port: number }).port}`,
      }),
    });
    const text = (key: string) =>
      sharing.messaging!.send({ from: number, to: '+12125550199', text: 'Hello', media: [], key });
    await text('before-registration');
    await sharing.registration!.submit(sampleRegistration('local', [number]), 'r.1.81.local', 1);
    Object.assign([...registry.tables.brands.values()].at(-1)!, {
      status: 'APPROVED',
      brand_score: 50,
    });
    await sharing.registration!.getStatus('r.1.81.local');
    await text('after-registration');
    expect(registry.members.get(shared)!.size).toBe(0);
    expect([...registry.members].filter(([, those]) => those.has(sid))).toHaveLength(1);
    const named = published.asked
      .filter((a) => a.method === 'POST' && a.path.endsWith('/Messages.json'))
      .map((a) => a.form['MessagingServiceSid'] ?? null);
    expect(named).toEqual([shared, null]);
    await sharing.registration!.end('r.1.81.local');
    await sharing.close?.();
  });
  it('a number of Twilio’s registers there, in the whole product: two carriers in one registration are refused, the webhook brings the approval', async () => {
    const product = await createTestApp({
      demo: true,
      env: {
        CARRIER: 'sandbox,twilio',
        TWILIO_ACCOUNT_SID: accountSid,
        TWILIO_AUTH_TOKEN: authToken,
        TWILIO_API_URL: `http://127.0.0.1:${(uploads.address() as { port: number }).port}`,
        PUBLIC_URL: publicUrl,
      },
    });
    const { company, owner } = await product.createCompany();
    const [ours, theirs] = await product.services.db.systemTransaction(async (tx) => {
      const made: number[] = [];
      for (const [number, provider] of [
        [numbers.local[1], 3],
        ['+14155552399', 1],
      ] as const) {
        const { id } = await tx
          .insertInto('number')
          .values({
            company_id: company.id,
            number,
            label: '',
            provider_id: provider,
            sms_enabled: true,
            sms_verification_status: 'none',
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('number_directory')
          .values({ number, company_id: company.id, number_id: id })
          .execute();
        made.push(id);
      }
      return made as [number, number];
    });
    const optins = [
      {
        type: 'text_to_join',
        description: 'Patients text JOIN to the number on the desk.',
        keywords: ['join'],
      },
    ];
    const body = (ids: number[]) => ({
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
        optins,
        opt_in_message: 'Harbor Dental: welcome. Reply STOP to stop.',
        opt_out_message: 'Harbor Dental: you get no more texts.',
        help_message: 'Harbor Dental: call us.',
        privacy_url: 'https://harbor-dental.test/privacy',
        monthly_volume: '10,001-25,000',
        numbers: ids,
      },
    });
    const ask = (
      endpoint: typeof contract.createSmsCampaign | typeof contract.submitSmsCampaign,
      params: object,
      said: object,
    ) =>
      product.as(owner).request(endpoint as typeof contract.createSmsCampaign, {
        params: { companyId: company.id, ...params },
        body: said,
      }) as Promise<{ status: number; body: any }>; // oxlint-disable-line no-explicit-any -- whatever came back
    const mixed = await ask(contract.createSmsCampaign, {}, body([ours, theirs]));
    expect([mixed.status, JSON.stringify(mixed.body)]).toEqual([
      422,
      expect.stringMatching(/is at Sandbox.*at Twilio|is at Twilio.*at Sandbox/),
    ]);
    const made = await ask(contract.createSmsCampaign, {}, body([ours]));
    const sent = await ask(contract.submitSmsCampaign, { id: made.body.data.id }, {});
    expect(sent.status, JSON.stringify(sent.body)).toBeLessThan(300);
    await product.drainJobs();
    const review = () =>
      product.services.db.unscoped
        .selectFrom('registration_review')
        .select(['carrier', 'status', 'provider_ref'])
        .where('company_id', '=', company.id)
        .executeTakeFirstOrThrow();
    expect(await review()).toMatchObject({ carrier: 'twilio', status: 'in_review' });
    const brand = [...registry.tables.brands.values()].at(-1)!;
    const tell = async (words: object) => {
      const events = JSON.stringify([words]);
      const query = `?bodySHA256=${createHash('sha256').update(events).digest('hex')}`;
      const answer = await product.server.inject({
        method: 'POST',
        url: `/carriers/twilio/registrations${query}`,
        payload: events,
        headers: {
          'content-type': 'application/json',
          'x-twilio-signature': createHmac('sha1', authToken)
            .update(`${publicUrl}/carriers/twilio/registrations${query}`)
            .digest('base64'),
        },
      });
      expect(answer.statusCode).toBe(204);
      await product.drainJobs();
    };
    Object.assign(brand, { status: 'APPROVED', brand_score: 64 });
    await tell({ data: { brandsid: brand.sid } });
    const campaign = [...registry.tables.campaigns.values()].at(-1)!;
    expect([campaign['brand_registration_sid'], (await review()).status]).toEqual([
      brand.sid,
      'in_review',
    ]);
    campaign['campaign_status'] = 'VERIFIED';
    await tell({ data: { campaignsid: campaign.sid } });
    expect((await review()).status).toBe('approved');
    const number = await product.services.db.unscoped
      .selectFrom('number')
      .select('sms_verification_status')
      .where('id', '=', ours)
      .executeTakeFirstOrThrow();
    const told = await product.services.db.unscoped
      .selectFrom('number_event')
      .select('summary')
      .where('number_id', '=', ours)
      .where('type', '=', 'sms_status_changed')
      .orderBy('at')
      .orderBy('id')
      .execute();
    expect([number.sms_verification_status, told.at(-1)?.summary]).toEqual([
      'approved',
      'Texting registration: approved',
    ]);
  });
  it('asked nothing that Twilio does not know, and nothing twice', () => {
    expect(
      published.asked.filter((x) => x.violations),
      JSON.stringify(published.asked.filter((x) => x.violations).slice(0, 4), null, 1),
    ).toEqual([]);
    expect(registry.complaints).toEqual([]);
    expect(registry.uploaded.some((u) => u.includes('bill.pdf'))).toBe(true);
  });
});

describe('Bandwidth, by its own document where there is one and a small Dashboard where there is none', () => {
  let there: Awaited<ReturnType<typeof mockBandwidthDashboard>>;
  let carrier: Carrier;
  beforeAll(async () => {
    there = await mockBandwidthDashboard();
    there.state.keptBack.add('6175550199');
    const account = readSettings({
      CARRIER: 'bandwidth',
      BANDWIDTH_ACCOUNT_ID: '9900000',
      BANDWIDTH_USERNAME: 'api',
      BANDWIDTH_PASSWORD: 'secret',
      BANDWIDTH_MESSAGING_APPLICATION_ID: 'app',
      BANDWIDTH_SITE_ID: '2297',
      BANDWIDTH_PEER_ID: '500709',
      BANDWIDTH_WEBHOOK_USERNAME: 'reports',
      BANDWIDTH_WEBHOOK_PASSWORD: 'hush',
      BANDWIDTH_API_URL: there.url,
      DATA_DIR: app.services.settings.dataDir,
    });
    carrier = bandwidthCarrier({
      ...app.services,
      settings: withAdapterSettings(
        app.services.settings,
        'bandwidth',
        bandwidthSettings.of(account),
      ),
    });
  }, 180_000);
  afterAll(async () => {
    await carrier.close?.();
    await there.close();
  });
  const away = async (on: boolean) => {
    there.state.away = on;
  };
  const lazily = <T extends object>(of: () => T): T =>
    new Proxy({} as T, { get: (_, name) => Reflect.get(of(), name) as unknown });

  describe('brands and campaigns', () =>
    testRegistrationConformance(async () => ({
      registration: lazily(() => carrier.registration!),
      kind: 'local',
      numbers: ['+14155552321', '+14155552322'],
      setUnreachable: away,
      createdCount: async () => there.state.brands.size,
      async decide(_, verdict) {
        for (const b of there.state.brands.values())
          if (!b.identity) Object.assign(b, { identity: 'VERIFIED', score: 60 });
        for (const c of there.state.campaigns.values())
          if (c.sharing === 'PENDING')
            Object.assign(
              c,
              verdict === 'approve'
                ? { sharing: 'ACCEPTED' }
                : { sharing: 'DECLINED', why: 'The samples do not say how to stop.' },
            );
      },
    })));
  describe('toll-free verifications', () =>
    testRegistrationConformance(async () => ({
      registration: lazily(() => carrier.registration!),
      kind: 'toll_free',
      numbers: ['+18885552321', '+18885552322'],
      setUnreachable: away,
      createdCount: async () => there.state.begun,
      async decide(_, verdict) {
        for (const v of there.state.verifications.values())
          if (v['status'] === 'PENDING')
            Object.assign(
              v,
              verdict === 'approve'
                ? { status: 'VERIFIED' }
                : {
                    status: 'UNVERIFIED',
                    declineReasonDescription: 'The opt-in picture cannot be opened.',
                    denialStatusCode: 512,
                  },
            );
      },
    })));
  describe('ports', () =>
    testPortingConformance(async () => ({
      porting: lazily(() => carrier.porting!),
      portable: '+16175550123',
      unportable: '+16175550199',
      setUnreachable: away,
      loseResponses: async (on) => {
        there.state.losing = on ? '/portins' : null;
      },
      createdCount: async () =>
        [...there.state.ports.values()].filter((p) => p.status !== 'CANCELLED').length,
      async reach(ref, state) {
        Object.assign(
          there.state.ports.get(ref)!,
          {
            inProgress: { status: 'SUBMITTED' },
            firmOrderScheduled: { status: 'FOC', foc: '2026-12-16T15:00:00Z' },
            completed: { status: 'COMPLETE' },
            rejected: { status: 'EXCEPTION', errors: 'The PIN is not the one on the account' },
          }[state],
        );
      },
    })));

  it('a brand whose tax number does not fit is refused, mended where it stands and vetted anew', async () => {
    const papers = sampleRegistration('local', ['+14155552321']);
    const { ref } = await carrier.registration!.submit(papers, 'r.1.90.local', 1);
    const brand = [...there.state.brands.values()].at(-1)!;
    brand.identity = 'UNVERIFIED';
    expect(await carrier.registration!.getStatus(ref)).toMatchObject({
      state: 'rejected',
      objections: [{ code: 'brand.unverified' }],
    });
    await carrier.registration!.submit(
      { ...papers, brand: { ...papers.brand, ein: '987654321' } },
      'r.1.90.local',
      2,
    );
    expect([
      brand.facts['Ein'],
      brand.identity,
      (await carrier.registration!.getStatus(ref))?.state,
    ]).toEqual(['987654321', '', 'in_review']);
  });
  it('what the Dashboard refuses outright stands with its words until the papers change', async () => {
    const papers = sampleRegistration('local', ['+14155552322']);
    const { ref } = await carrier.registration!.submit(
      { ...papers, brand: { ...papers.brand, vertical: '' } },
      'r.1.91.local',
      1,
    );
    expect(await carrier.registration!.getStatus(ref)).toMatchObject({
      state: 'action_required',
      objections: [{ code: '1003', text: 'Vertical is required' }],
    });
    await carrier.registration!.submit(papers, 'r.1.91.local', 2);
    expect((await carrier.registration!.getStatus(ref))?.state).toBe('in_review');
  });
  it('letter and bill go up once each, and a webhook without its password is nobody’s', async () => {
    const ref = refOf(
      await carrier.porting!.submit(samplePortOrder('+16175550125', { key: 'port-1-4343' })),
    );
    await carrier.porting!.submit(samplePortOrder('+16175550125', { key: 'port-1-4343' }));
    expect(there.state.ports.get(ref)!.papers).toEqual(['LOA', 'INVOICE']);
    const ports: PortReport[] = [],
      refs: string[] = [];
    const sink: CarrierEventSink = {
      onVoiceEvents: async () => ({ performed: Promise.resolve() }),
      onTexts: async () => {},
      onDeliveryReports: async () => {},
      onRegistrationChanges: async (r) => {
        refs.push(...r);
      },
      onPortReports: async (p) => {
        ports.push(...p);
      },
    };
    const send = (what: string, body: string, password: string) =>
      carrier
        .webhooks!.find((w) => w.path === `/carriers/bandwidth/:key/${what}`)!
        .handle(
          {
            method: 'POST',
            url: '',
            path: '',
            query: new URLSearchParams(),
            params: { key: webhookKeyOf(app.services.settings.appSecret.toString('hex')) },
            ip: '192.0.2.7',
            headers: {
              authorization: `Basic ${Buffer.from(`reports:${password}`).toString('base64')}`,
            },
            body: Buffer.from(body),
          },
          sink,
        );
    const note = `<Notification><Status>SUBMITTED</Status><OrderId>${ref}</OrderId><OrderType>portins</OrderType></Notification>`;
    expect([(await send('orders', note, 'wrong')).status, ports.length]).toEqual([403, 0]);
    expect((await send('orders', note, 'hush')).status).toBe(204);
    expect(ports).toMatchObject([{ key: 'port-1-4343', state: 'inProgress' }]);
    const { ref: verification } = await carrier.registration!.submit(
      sampleRegistration('toll_free', ['+18885552329']),
      'r.1.92.toll_free',
      1,
    );
    expect(
      (
        await send(
          'registrations',
          JSON.stringify({ accountId: '9900000', phoneNumber: '+18885552329', status: 'VERIFIED' }),
          'hush',
        )
      ).status,
    ).toBe(204);
    expect(refs).toEqual([verification]);
  });
  it('asked nothing that Bandwidth’s document forbids and nothing that nobody answers', () =>
    expect(there.state.violations).toEqual([]));
});
