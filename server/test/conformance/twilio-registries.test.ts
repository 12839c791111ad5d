import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { registration as contract } from '#contract';
import type { Carrier, WebhookRequest } from '../../src/gateways/carrier.ts';
import { createTestApp } from '../support/test-app.ts';
import { refOf, samplePortOrder, testPortingConformance } from './porting.ts';
import { recordReports } from './record-reports.ts';
import { sampleRegistration, testRegistrationConformance } from './registration.ts';
import {
  accountSid,
  authToken,
  numbers,
  publicUrl,
  sampleSmsCampaign,
  signForm,
  signJson,
  startTwilioRegistries,
} from './twilio-registry-harness.ts';

const app = await createTestApp();

describe('Twilio, with every request checked against its OpenAPI', () => {
  let twilio: Awaited<ReturnType<typeof startTwilioRegistries>>;
  let registry: (typeof twilio)['registry'];
  let carrier: Carrier;
  beforeAll(async () => {
    twilio = await startTwilioRegistries(app);
    registry = twilio.registry;
    carrier = twilio.connect();
  }, 180_000);
  afterAll(async () => {
    await carrier.close?.();
    await twilio.close();
  });
  const setUnreachable = async (on: boolean) => {
    twilio.faults.unreachable = on;
  };
  /** The newest row of one of the registry's tables. */
  const newest = <T>(table: ReadonlyMap<string, T>): T => [...table.values()].at(-1)!;
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
      setUnreachable,
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
      setUnreachable,
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
      setUnreachable,
      loseResponses: async (on) => {
        twilio.faults.losesResponses = on;
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

  it('an order or document that Twilio refuses is refused with its reason, and leaves no order', async () => {
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
  it('a brand the registry can’t verify is rejected with its reason, corrected in place and approved', async () => {
    const documents = sampleRegistration('local', [numbers.local[0]]);
    const { ref } = await carrier.registration!.submit(documents, 'r.1.77.local', 1);
    const brand = newest(registry.tables.brands);
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
      { ...documents, brand: { ...documents.brand, ein: '987654321' } },
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
  it('a brand whose response was lost is looked up, so that no fee is paid twice', async () => {
    const before = registry.tables.brands.size;
    await carrier.registration!.submit(
      sampleRegistration('local', [numbers.local[0]]),
      'r.1.78.local',
      1,
    );
    // As if the process had died between Twilio's response and storing it.
    const { rows } = await sql<{
      ids: Record<string, string>;
    }>`select facts -> 'ids' ids from carrier_object where key = 'r.1.78.local'`.execute(
      app.services.db.unscoped,
    );
    await sql`update carrier_object
      set facts = facts || ${JSON.stringify({ ids: { ...rows[0]!.ids, brand: 'asked' } })}::jsonb
      where key = 'r.1.78.local'`.execute(app.services.db.unscoped);
    await carrier.registration!.getStatus('r.1.78.local');
    expect(registry.tables.brands.size - before).toBe(1);
  });
  it('webhooks name what changed, and are refused unless Twilio signed them', async () => {
    const { refs, ports, sink } = recordReports();
    const send = (
      path: string,
      body: string,
      search: string,
      signed: string,
      type = 'application/x-www-form-urlencoded',
    ) => {
      const hook = carrier.webhooks!.find((w) => w.path === path)!;
      const request: WebhookRequest = {
        method: 'POST',
        url: `${publicUrl}${path}${search}`,
        path,
        query: new URLSearchParams(search),
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
    const query = '?registration=r.1.78.local';
    const posted = new URLSearchParams(form).toString();
    const signature = (token: string) => signForm(`${publicUrl}${address}${query}`, form, token);
    const refused = await send(address, posted, query, signature('another'));
    expect(refused).toMatchObject({ status: 403 });
    expect(refs).toEqual([]);
    const accepted = await send(address, posted, query, signature(authToken));
    expect(accepted).toMatchObject({ status: 204 });
    expect(refs).toEqual(['r.1.78.local']);
    // Brands and campaigns are reported by events in JSON, signed by a hash in the URL.
    const brand = newest(registry.tables.brands).sid;
    const events = JSON.stringify([
      {
        type: 'com.twilio.messaging.compliance.brand-registration.brand-registered',
        data: { brandsid: brand },
      },
    ]);
    const signed = signJson(address, events);
    const asJson = (
      path: string,
      json: string,
      { query: hash, signature: by } = signJson(path, json),
    ) => send(path, json, hash, by, 'application/json');
    const forged = events.replace('registered', 'forged');
    expect(await asJson(address, forged, signed)).toMatchObject({ status: 403 });
    refs.length = 0;
    expect(await asJson(address, events)).toMatchObject({ status: 204 });
    expect(refs).toEqual(['r.1.78.local']);

    const ref = refOf(
      await carrier.porting!.submit(samplePortOrder('+16175550124', { key: 'port-1-4242' })),
    );
    registry.tables.ports.get(ref)!['port_in_request_status'] = 'In Progress';
    const report = JSON.stringify({ port_in_request_sid: ref, status: 'whatever it says' });
    expect(await asJson('/carriers/twilio/ports', report)).toMatchObject({ status: 204 });
    expect(ports).toMatchObject([{ key: 'port-1-4242', state: 'inProgress' }]);
  });
  it('verifications and brands carry the business’s type and number, and low volume skips vetting', async () => {
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
    const brand = newest(registry.tables.brands);
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
  it('a number that registers leaves the shared messaging service, and its texts no longer name it', async () => {
    const [shared, number] = [`MG${'5'.repeat(32)}`, numbers.local[0]];
    // The former registration has ended: the number belongs to no service of its own.
    for (const before of ['r.1.77.local', 'r.1.78.local']) await carrier.registration!.end(before);
    const sid = registry.owned.get(number)!;
    registry.members.set(shared, new Map([[sid, number]]));
    const sharing = twilio.connect({ messagingServiceSid: shared, customerProfileSid: null });
    const text = (key: string) =>
      sharing.messaging!.send({ from: number, to: '+12125550199', text: 'Hello', media: [], key });
    await text('before-registration');
    await sharing.registration!.submit(sampleRegistration('local', [number]), 'r.1.81.local', 1);
    Object.assign(newest(registry.tables.brands), {
      status: 'APPROVED',
      brand_score: 50,
    });
    await sharing.registration!.getStatus('r.1.81.local');
    await text('after-registration');
    expect(registry.members.get(shared)!.size).toBe(0);
    expect([...registry.members].filter(([, those]) => those.has(sid))).toHaveLength(1);
    const named = twilio.published.asked
      .filter((a) => a.method === 'POST' && a.path.endsWith('/Messages.json'))
      .map((a) => a.form['MessagingServiceSid'] ?? null);
    expect(named).toEqual([shared, null]);
    await sharing.registration!.end('r.1.81.local');
    await sharing.close?.();
  });
  it('a Twilio number registers through the API: mixed carriers are refused, and a webhook approves it', async () => {
    const product = await createTestApp({
      demo: true,
      env: {
        CARRIER: 'sandbox,twilio',
        TWILIO_ACCOUNT_SID: accountSid,
        TWILIO_AUTH_TOKEN: authToken,
        TWILIO_API_URL: twilio.apiUrl,
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
    const ask = (
      endpoint: typeof contract.createSmsCampaign | typeof contract.submitSmsCampaign,
      params: object,
      said: object,
    ) =>
      product.as(owner).request(endpoint as typeof contract.createSmsCampaign, {
        params: { companyId: company.id, ...params },
        body: said,
      }) as Promise<{ status: number; body: any }>; // oxlint-disable-line no-explicit-any -- whatever came back
    const mixed = await ask(contract.createSmsCampaign, {}, sampleSmsCampaign([ours, theirs]));
    expect([mixed.status, JSON.stringify(mixed.body)]).toEqual([
      422,
      expect.stringMatching(/is at Sandbox.*at Twilio|is at Twilio.*at Sandbox/),
    ]);
    const made = await ask(contract.createSmsCampaign, {}, sampleSmsCampaign([ours]));
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
    const brand = newest(registry.tables.brands);
    const path = '/carriers/twilio/registrations';
    const report = async (event: object) => {
      const events = JSON.stringify([event]);
      const { query, signature } = signJson(path, events);
      const answer = await product.server.inject({
        method: 'POST',
        url: path + query,
        payload: events,
        headers: { 'content-type': 'application/json', 'x-twilio-signature': signature },
      });
      expect(answer.statusCode).toBe(204);
      await product.drainJobs();
    };
    Object.assign(brand, { status: 'APPROVED', brand_score: 64 });
    await report({ data: { brandsid: brand.sid } });
    const campaign = newest(registry.tables.campaigns);
    expect([campaign['brand_registration_sid'], (await review()).status]).toEqual([
      brand.sid,
      'in_review',
    ]);
    campaign['campaign_status'] = 'VERIFIED';
    await report({ data: { campaignsid: campaign.sid } });
    expect((await review()).status).toBe('approved');
    const number = await product.services.db.unscoped
      .selectFrom('number')
      .select('sms_verification_status')
      .where('id', '=', ours)
      .executeTakeFirstOrThrow();
    const events = await product.services.db.unscoped
      .selectFrom('number_event')
      .select('summary')
      .where('number_id', '=', ours)
      .where('type', '=', 'sms_status_changed')
      .orderBy('at')
      .orderBy('id')
      .execute();
    expect([number.sms_verification_status, events.at(-1)?.summary]).toEqual([
      'approved',
      'Texting registration: approved',
    ]);
  });
  it('every request is in Twilio’s OpenAPI, and nothing is created twice', () => {
    expect(
      twilio.published.asked.filter((x) => x.violations),
      JSON.stringify(twilio.published.asked.filter((x) => x.violations).slice(0, 4), null, 1),
    ).toEqual([]);
    expect(registry.complaints).toEqual([]);
    expect(registry.uploaded.some((u) => u.includes('bill.pdf'))).toBe(true);
  });
});
