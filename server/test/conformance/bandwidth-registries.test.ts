import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bandwidthCarrier } from '../../src/adapters/bandwidth/carrier.ts';
import { webhookKeyOf } from '../../src/adapters/bandwidth/client.ts';
import { bandwidthSettings } from '../../src/adapters/bandwidth/settings.ts';
import type { Carrier } from '../../src/gateways/carrier.ts';
import { readSettings } from '../../src/settings.ts';
import { withAdapterSettings } from '../support/adapter-settings.ts';
import { createTestApp } from '../support/test-app.ts';
import { mockBandwidthDashboard } from './bandwidth-mock/dashboard.ts';
import { refOf, samplePortOrder, testPortingConformance } from './porting.ts';
import { recordReports } from './record-reports.ts';
import { sampleRegistration, testRegistrationConformance } from './registration.ts';

const app = await createTestApp();

describe('Bandwidth, against its published document and a mock of the Dashboard', () => {
  let dashboard: Awaited<ReturnType<typeof mockBandwidthDashboard>>;
  let carrier: Carrier;
  beforeAll(async () => {
    dashboard = await mockBandwidthDashboard();
    dashboard.state.keptBack.add('6175550199');
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
      BANDWIDTH_API_URL: dashboard.url,
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
    await dashboard.close();
  });
  const setUnreachable = async (on: boolean) => {
    dashboard.state.away = on;
  };
  /** The gateway of `carrier`, which is only created before the tests run. */
  const lazily = <T extends object>(gateway: () => T): T =>
    new Proxy({} as T, { get: (_, name) => Reflect.get(gateway(), name) as unknown });

  describe('brands and campaigns', () =>
    testRegistrationConformance(async () => ({
      registration: lazily(() => carrier.registration!),
      kind: 'local',
      numbers: ['+14155552321', '+14155552322'],
      setUnreachable,
      createdCount: async () => dashboard.state.brands.size,
      async decide(_, verdict) {
        for (const brand of dashboard.state.brands.values())
          if (!brand.identity) Object.assign(brand, { identity: 'VERIFIED', score: 60 });
        for (const c of dashboard.state.campaigns.values())
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
      setUnreachable,
      createdCount: async () => dashboard.state.begun,
      async decide(_, verdict) {
        for (const v of dashboard.state.verifications.values())
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
      setUnreachable,
      loseResponses: async (on) => {
        dashboard.state.losing = on ? '/portins' : null;
      },
      createdCount: async () =>
        [...dashboard.state.ports.values()].filter((p) => p.status !== 'CANCELLED').length,
      async reach(ref, state) {
        Object.assign(
          dashboard.state.ports.get(ref)!,
          {
            inProgress: { status: 'SUBMITTED' },
            firmOrderScheduled: { status: 'FOC', foc: '2026-12-16T15:00:00Z' },
            completed: { status: 'COMPLETE' },
            rejected: { status: 'EXCEPTION', errors: 'The PIN is not the one on the account' },
          }[state],
        );
      },
    })));

  it('a brand with the wrong tax ID is rejected, and vetted again once it is corrected', async () => {
    const documents = sampleRegistration('local', ['+14155552321']);
    const { ref } = await carrier.registration!.submit(documents, 'r.1.90.local', 1);
    const brand = [...dashboard.state.brands.values()].at(-1)!;
    brand.identity = 'UNVERIFIED';
    expect(await carrier.registration!.getStatus(ref)).toMatchObject({
      state: 'rejected',
      objections: [{ code: 'brand.unverified' }],
    });
    await carrier.registration!.submit(
      { ...documents, brand: { ...documents.brand, ein: '987654321' } },
      'r.1.90.local',
      2,
    );
    expect([
      brand.facts['Ein'],
      brand.identity,
      (await carrier.registration!.getStatus(ref))?.state,
    ]).toEqual(['987654321', '', 'in_review']);
  });
  it('a submission that the Dashboard refuses keeps its reason until it is submitted again', async () => {
    const documents = sampleRegistration('local', ['+14155552322']);
    const { ref } = await carrier.registration!.submit(
      { ...documents, brand: { ...documents.brand, vertical: '' } },
      'r.1.91.local',
      1,
    );
    expect(await carrier.registration!.getStatus(ref)).toMatchObject({
      state: 'action_required',
      objections: [{ code: '1003', text: 'Vertical is required' }],
    });
    await carrier.registration!.submit(documents, 'r.1.91.local', 2);
    expect((await carrier.registration!.getStatus(ref))?.state).toBe('in_review');
  });
  it('letter and bill are uploaded once each, and a webhook without the password is refused', async () => {
    const ref = refOf(
      await carrier.porting!.submit(samplePortOrder('+16175550125', { key: 'port-1-4343' })),
    );
    await carrier.porting!.submit(samplePortOrder('+16175550125', { key: 'port-1-4343' }));
    expect(dashboard.state.ports.get(ref)!.documents).toEqual(['LOA', 'INVOICE']);
    const { refs, ports, sink } = recordReports();
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
  it('every request follows Bandwidth’s document, and none goes to an unknown address', () =>
    expect(dashboard.state.violations).toEqual([]));
});
