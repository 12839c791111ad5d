import { randomBytes } from 'node:crypto';
import { bandwidthSettings } from '../../src/adapters/bandwidth/settings.ts';
import { twilioSettings } from '../../src/adapters/twilio/settings.ts';
import { withAdapterSettings } from '../support/adapter-settings.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestExchange } from '../support/exchange-harness.ts';
import { noFaults, setFaults } from '../../src/adapters/sandbox/fault-injection.ts';
import { twilioCarrier } from '../../src/adapters/twilio/carrier.ts';
import type { Carrier } from '../../src/gateways/carrier.ts';
import { sql } from 'kysely';
import { bandwidthCarrier } from '../../src/adapters/bandwidth/carrier.ts';
import { createBandwidthApp, createTwilioApp, twilioAccount } from './carrier-matrix.ts';
import { testMessagingConformance } from './messaging.ts';
import { testInventoryConformance } from './numbers.ts';
import { startTwilioSpecMock } from './twilio-mock/spec.ts';
import { testVoiceConformance } from './voice.ts';
import { freePort } from '../support/free-port.ts';
import { createTestApp } from '../support/test-app.ts';

const sandbox = await createTestApp();
const exchange = await startTestExchange({ unreachableAfterMs: 60_000 });
afterAll(async () => {
  setFaults(noFaults);
  await exchange.close();
});
/** How many numbers were assigned. */
let lines = 0;
const outage = async (on: boolean) => void setFaults({ ...noFaults, outage: on });

describe('the sandbox', () => {
  describe('voice', () =>
    testVoiceConformance(async () => ({
      voice: exchange.voice,
      to: '+12125550181',
      callerId: '+14155552368',
      inbound: async () => exchange.exchange.receiveCall('+12125550147', '+14155552368').id,
      rungCount: () =>
        [...exchange.exchange.legs.values()].filter((l) => l.direction === 'out').length,
      setUnreachable: outage,
    })));
  describe('messaging', () =>
    testMessagingConformance(async () => {
      const stopped = '+12125550190';
      await sandbox.services.db.systemTransaction((tx) =>
        sql`insert into sandbox.phone (number, refuses) values (${stopped}, 'opted_out')
          on conflict (number) do update set refuses = 'opted_out'`.execute(tx),
      );
      return {
        messaging: sandbox.services.gateways.messaging,
        from: '+14155552368',
        to: '+12125550181',
        optedOutNumber: stopped,
        setUnreachable: outage,
        acceptedCount: async () =>
          Number(
            (
              await sql<{
                n: number;
              }>`select count(*)::int n from sandbox.text where outgoing`.execute(
                sandbox.services.db.unscoped,
              )
            ).rows[0]!.n,
          ),
        withLostResponses: async (meanwhile) => {
          setFaults({ ...noFaults, dropAfterEffectRate: 1 });
          try {
            return await meanwhile();
          } finally {
            setFaults(noFaults);
          }
        },
      };
    }));
  describe('numbers', () =>
    testInventoryConformance(async () => {
      return { numbers: sandbox.services.gateways.numbers, providerIds: [1, 2, 3, 4] };
    }));
});

describe('Twilio', () => {
  let t: Awaited<ReturnType<typeof createTwilioApp>>;
  beforeAll(async () => {
    t = await createTwilioApp();
  });
  afterAll(() => t.twilio.close());
  /** Unreachable: nothing listens there. */
  const carrierAt = async (url: string): Promise<Carrier> =>
    twilioCarrier({
      ...t.world.services,
      settings: withAdapterSettings(t.world.services.settings, 'twilio', {
        ...twilioSettings.of(t.world.services.settings),
        apiUrl: url,
      }),
    });
  const switching = async () => {
    const [here, gone] = [
      await carrierAt(t.twilio.url),
      await carrierAt(`http://127.0.0.1:${await freePort()}`),
    ];
    let away = false;
    return {
      now: () => (away ? gone : here),
      away: async (on: boolean) => {
        away = on;
      },
    };
  };

  describe('voice', () =>
    testVoiceConformance(async () => {
      const s = await switching();
      const { company } = await t.world.createCompany();
      const number = `+1415556${String(1000 + ++lines)}`;
      await t.world.services.db.systemTransaction(async (tx) => {
        const { id } = await tx
          .insertInto('number')
          .values({
            company_id: company.id,
            number,
            label: '',
            provider_id: 3,
            voicemail_enabled: false,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('number_directory')
          .values({ number, company_id: company.id, number_id: id })
          .onConflict((c) => c.doNothing())
          .execute();
        const route = await tx
          .insertInto('route')
          .values({
            company_id: company.id,
            number_id: id,
            type: 'standard',
            voicemail_enabled: false,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('forward')
          .values({
            company_id: company.id,
            route_id: route.id,
            position: 0,
            label: 'Ann',
            phone: '+12125550199',
          })
          .execute();
      });
      return {
        voice: {
          ...s.now().voice!,
          perform: (c) => s.now().voice!.perform(c),
          getLegStatus: (l) => s.now().voice!.getLegStatus(l),
        },
        to: '+12125550181',
        callerId: number,
        setUnreachable: s.away,
        rungCount: () =>
          [...t.twilio.calls.values()].filter(
            (c) => c.direction === 'outbound-api' && c.to === '+12125550181',
          ).length,
        inbound: async () => {
          const { sid } = t.twilio.callIn('+12125550147', number);
          await expect
            .poll(() => t.twilio.ringing('+12125550199').length, { timeout: 30_000 })
            .toBeGreaterThan(0);
          return sid;
        },
      };
    }));
  describe('messaging', () =>
    testMessagingConformance(async () => {
      const s = await switching();
      t.twilio.rejectsTexts.set('+12125550190', 21610);
      return {
        messaging: {
          ...s.now().messaging!,
          send: (x) => s.now().messaging!.send(x),
          findByKey: (k) => s.now().messaging!.findByKey(k),
        },
        from: '+14155552368',
        to: '+12125550181',
        optedOutNumber: '+12125550190',
        setUnreachable: s.away,
        acceptedCount: async () => t.twilio.messages.size,
        withLostResponses: (meanwhile) => {
          t.twilio.faults.loseAnswers.texts = 1;
          return meanwhile();
        },
      };
    }));
  describe('numbers', () =>
    testInventoryConformance(async () => ({
      numbers: t.world.services.gateways.numbers,
      providerIds: [3],
    })));

  it('every request matches Twilio’s OpenAPI, field by field', { timeout: 120_000 }, async () => {
    const published = await startTwilioSpecMock();
    const account = {
      ...twilioSettings.of(t.world.services.settings),
      apiUrl: published.url,
      messagingServiceSid: `MG${'0'.repeat(32)}`,
    };
    const carrier = twilioCarrier({
      ...t.world.services,
      settings: withAdapterSettings(t.world.services.settings, 'twilio', account),
    });
    try {
      // A stored leg as a webhook would have created it, so that redirects and recordings are
      // requested, too.
      const [a, b, recording] = [`CA${randomBytes(16).toString('hex')}`, '1-77.1', '1-77.9'];
      await sql`insert into carrier_leg (carrier, leg, call, carrier_ref, from_number, to_number,
          inbound, state, facts) values ('twilio', ${a}, ${a}, ${a}, '+12125550147', '+14155552368',
          true, 'answered', '{"picked": true, "joined": true, "callToken": "a token"}')`.execute(
        t.world.services.db.unscoped,
      );
      const { voice, messaging, numbers } = carrier;
      // An SDK can't parse all of Prism’s examples; this test only looks at the requests.
      const quietly = (asking: Promise<unknown>) => asking.catch(() => null);
      await quietly(
        voice!.perform([
          {
            id: '1-77.2',
            do: 'createLeg',
            leg: b,
            to: { kind: 'phone', number: '+12125550181' },
            callerId: '+12125550147',
            timeoutSeconds: 23,
            onBehalfOf: a,
          },
        ]),
      );
      await quietly(
        voice!.perform([
          {
            id: '1-77.21',
            do: 'createLeg',
            leg: '1-77.22',
            to: { kind: 'app', userId: 5, companyId: 1 },
            callerId: '+14155552368',
            timeoutSeconds: 23,
            onBehalfOf: a,
          },
        ]),
      );
      await quietly(
        voice!.perform([
          { id: '1-77.3', do: 'answer', leg: a },
          {
            id: '1-77.4',
            do: 'play',
            leg: a,
            prompts: [{ kind: 'say', text: 'Hello & <welcome>' }],
          },
          { id: '1-77.5', do: 'startRecording', recordingId: recording, legs: [a, b] },
        ]),
      );
      await quietly(
        voice!.perform([
          { id: '1-77.6', do: 'stopRecording', recordingId: recording },
          { id: '1-77.7', do: 'hangup', leg: a },
        ]),
      );
      await quietly(voice!.getLegStatus(a));
      await quietly(
        voice!.deleteRecording!(
          `https://api.twilio.com/2010-04-01/Accounts/${twilioAccount.accountSid}/Recordings/RE${'a'.repeat(32)}.wav`,
        ),
      );
      await sql`update carrier_leg set carrier_ref = null, state = 'asked', requested_at = now() where leg = ${b}`.execute(
        t.world.services.db.unscoped,
      );
      await quietly(voice!.getLegStatus(b));
      await quietly(
        messaging!.send({
          from: '+14155552368',
          to: '+12125550181',
          text: 'Hi',
          media: [
            { url: 'https://phones.example.test/a.png', contentType: 'image/png', bytes: 9 },
            { url: 'https://phones.example.test/b.png', contentType: 'image/png', bytes: 9 },
          ],
          key: 'm.1.1',
        }),
      );
      await quietly(messaging!.findByKey('m.1.1'));
      await sql`update carrier_object set carrier_ref = null where key = 'm.1.1'`.execute(
        t.world.services.db.unscoped,
      );
      await quietly(messaging!.findByKey('m.1.1'));
      await quietly(
        numbers!.search({
          country: 'US',
          category: 2,
          areaCode: '415',
          state: 'CA',
          city: 'San Francisco',
          match: 'Contains',
          limit: 3,
        }),
      );
      await quietly(
        numbers!.search({
          country: 'US',
          category: 1,
          pattern: 'CALL',
          match: 'Ends with',
          limit: 3,
        }),
      );
      await quietly(numbers!.order('+14155552399', 'key'));
      await sql`delete from carrier_object where kind = 'order'`.execute(
        t.world.services.db.unscoped,
      );
      await quietly(
        (carrier as { numbers: { release(n: string): Promise<void> } }).numbers.release(
          '+14155552399',
        ),
      );
      const what = new Set(
        published.asked.map(
          (x) =>
            `${x.method} ${x.path
              .split('?')[0]!
              .replace(/^\/2010-04-01\/Accounts\/AC\w+/, '')
              .replace(/(CA|RE|PN|SM|MM)[0-9a-fA-F]{32}/g, '{sid}')}`,
        ),
      );
      expect(
        published.asked.filter((x) => x.violations),
        JSON.stringify(
          published.asked.filter((x) => x.violations),
          null,
          1,
        ),
      ).toEqual([]);
      expect([...what].sort()).toEqual(
        expect.arrayContaining([
          'DELETE /Recordings/{sid}.json',
          'GET /AvailablePhoneNumbers/US/Local.json',
          'GET /AvailablePhoneNumbers/US/TollFree.json',
          'GET /Calls.json',
          'GET /Calls/{sid}.json',
          'GET /IncomingPhoneNumbers.json',
          'GET /Messages.json',
          'GET /Messages/{sid}.json',
          'POST /Calls.json',
          'POST /Calls/{sid}.json',
          'POST /Calls/{sid}/Recordings.json',
          'POST /Calls/{sid}/Recordings/{sid}.json',
          'POST /Messages.json',
        ]),
      );
    } finally {
      await carrier.close?.();
      await published.close();
    }
  });
});

describe('Bandwidth', () => {
  let t: Awaited<ReturnType<typeof createBandwidthApp>>;
  beforeAll(async () => {
    t = await createBandwidthApp();
  });
  afterAll(() => t.bandwidth.close());
  const at = (url: string): Carrier =>
    bandwidthCarrier({
      ...t.world.services,
      settings: withAdapterSettings(t.world.services.settings, 'bandwidth', {
        ...bandwidthSettings.of(t.world.services.settings),
        apiUrl: url,
      }),
    });

  describe('voice', () =>
    testVoiceConformance(async () => {
      // A port with no listener.
      const [here, gone] = [at(t.bandwidth.url), at(`http://127.0.0.1:${await freePort()}`)];
      let away = false;
      const now = () => (away ? gone : here).voice!;
      const { company } = await t.world.createCompany();
      const number = `+1415558${String(1000 + ++lines)}`;
      await t.world.services.db.systemTransaction(async (tx) => {
        const { id } = await tx
          .insertInto('number')
          .values({
            company_id: company.id,
            number,
            label: '',
            provider_id: 1,
            voicemail_enabled: false,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('number_directory')
          .values({ number, company_id: company.id, number_id: id })
          .onConflict((c) => c.doNothing())
          .execute();
        const route = await tx
          .insertInto('route')
          .values({
            company_id: company.id,
            number_id: id,
            type: 'standard',
            voicemail_enabled: false,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await tx
          .insertInto('forward')
          .values({
            company_id: company.id,
            route_id: route.id,
            position: 0,
            label: 'Ann',
            phone: '+12125550199',
          })
          .execute();
      });
      return {
        voice: {
          ...now(),
          perform: (c) => now().perform(c),
          getLegStatus: (l) => now().getLegStatus(l),
        },
        to: '+12125550181',
        callerId: number,
        setUnreachable: async (on) => {
          away = on;
        },
        rungCount: () =>
          [...t.bandwidth.calls.values()].filter(
            (c) => c.direction === 'outbound' && c.to === '+12125550181',
          ).length,
        inbound: async () => {
          const rung = () =>
            [...t.bandwidth.calls.values()].filter((c) => c.to === '+12125550199').length;
          const before = rung();
          const { callId } = t.bandwidth.callIn('+12125550147', number);
          await expect.poll(rung, { timeout: 30_000 }).toBeGreaterThan(before);
          return callId;
        },
      };
    }));
});
