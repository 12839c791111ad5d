import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compliance, conversations } from '#contract';
import { reconcileTexts } from '../../src/modules/conversations/reconcile-texts.ts';
import { systemCtx } from '../../src/platform/context.ts';
import type { TestPerson } from '../support/test-app.ts';
import { createTwilioApp, tickCallAfter, twilioAccount } from './carrier-matrix.ts';
import { invalidTwiml } from './twiml-attributes.ts';

describe('Twilio’s webhooks', () => {
  let t: Awaited<ReturnType<typeof createTwilioApp>>;
  let number: string;
  let companyId: number;
  let owner: TestPerson;
  beforeAll(async () => {
    t = await createTwilioApp();
    const founded = await t.world.createCompany();
    [number, companyId, owner] = ['+14155567001', founded.company.id, founded.owner];
    await t.world.services.db.systemTransaction(async (tx) => {
      const { id } = await tx
        .insertInto('number')
        .values({
          company_id: companyId,
          number,
          label: '',
          provider_id: 3,
          sms_verification_status: 'not_required',
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('number_directory')
        .values({ number, company_id: companyId, number_id: id })
        .execute();
      await tx
        .insertInto('route')
        .values({
          company_id: companyId,
          number_id: id,
          type: 'voicemail',
          voicemail_enabled: true,
        })
        .execute();
    });
  }, 180_000);
  afterAll(() => t.twilio.close());

  const sign = (url: string, form: Record<string, string>, token = twilioAccount.authToken) =>
    createHmac('sha1', token)
      .update(
        url +
          Object.keys(form)
            .sort()
            .map((k) => k + form[k])
            .join(''),
      )
      .digest('base64');
  const post = (
    path: string,
    form: Record<string, string>,
    signature: string,
    headers: Record<string, string> = {},
  ) =>
    t.world.server.inject({
      method: 'POST',
      url: path,
      payload: new URLSearchParams(form).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': signature,
        ...headers,
      },
    });
  const rows = async () =>
    JSON.stringify([
      await t.world.services.db.unscoped.selectFrom('call').select('id').execute(),
      await t.world.services.db.unscoped
        .selectFrom('conversation_item')
        .select(['id', 'delivery_state'])
        .execute(),
      await t.world.services.db.unscoped.selectFrom('carrier_leg').select('leg').execute(),
    ]);
  const aText = (sid: string, more: Record<string, string> = {}) => ({
    AccountSid: twilioAccount.accountSid,
    MessageSid: sid,
    From: '+12125550147',
    To: number,
    Body: 'Hello there',
    NumMedia: '0',
    ...more,
  });

  it('forged, altered, unsigned or misdirected webhooks are answered 403 and change nothing', async () => {
    const before = await rows();
    const paths = [
      'voice',
      'voice/status',
      'voice/recording',
      'voice/transcription',
      'voice/dial',
      'voice/gather',
      'sms',
      'sms/status',
    ];
    for (const path of paths.map((p) => `/carriers/twilio/${p}`)) {
      const form = {
        CallSid: `CA${'1'.repeat(32)}`,
        CallStatus: 'ringing',
        ...aText(`SM${'1'.repeat(32)}`),
      };
      const url = twilioAccount.publicUrl + path;
      expect((await post(path, form, sign(url, form, 'another token'))).statusCode).toBe(403);
      expect((await post(path, { ...form, Body: 'Altered' }, sign(url, form))).statusCode).toBe(
        403,
      );
      expect(
        (await post(path, form, sign(`https://elsewhere.example.test${path}`, form))).statusCode,
      ).toBe(403);
      expect((await post(`${path}?leg=x`, form, sign(url, form))).statusCode).toBe(403);
      expect(
        (
          await t.world.server.inject({
            method: 'POST',
            url: path,
            payload: new URLSearchParams(form).toString(),
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
          })
        ).statusCode,
      ).toBe(403);
    }
    expect(await rows()).toBe(before);
  });
  it('behind proxies the public URL is signed, and unknown fields are accepted', async () => {
    const form = aText(`SM${'2'.repeat(32)}`, {
      SomethingNew: 'ünïcode & more',
      AddOns: '{"a":1}',
    });
    const answer = await post(
      '/carriers/twilio/sms',
      form,
      sign(`${twilioAccount.publicUrl}/carriers/twilio/sms`, form),
      { host: '10.0.0.7:3000', 'x-forwarded-host': 'inner.local', 'x-forwarded-proto': 'http' },
    );
    expect([answer.statusCode, invalidTwiml(answer.body)]).toEqual([200, []]);
  });
  it('a NUL in a signed field is removed and the webhook stored, for texts and calls', async () => {
    const text = aText(`SM${'4'.repeat(32)}`, { Body: 'with a\0 NUL', FromCity: '\0' });
    expect(
      (
        await post(
          '/carriers/twilio/sms',
          text,
          sign(`${twilioAccount.publicUrl}/carriers/twilio/sms`, text),
        )
      ).statusCode,
    ).toBe(200);
    expect(
      await t.world.services.db.unscoped
        .selectFrom('conversation_item')
        .select('text')
        .where('text', 'like', 'with a%')
        .execute(),
    ).toEqual([{ text: 'with a NUL' }]);
    const call = {
      AccountSid: twilioAccount.accountSid,
      CallSid: `CA${'4'.repeat(32)}`,
      CallStatus: 'ringing',
      Direction: 'inbound',
      From: '+12125550147\0',
      To: number,
      CallerName: 'A\0nn',
    };
    const answer = await post(
      '/carriers/twilio/voice',
      call,
      sign(`${twilioAccount.publicUrl}/carriers/twilio/voice`, call),
    );
    expect([answer.statusCode, invalidTwiml(answer.body)]).toEqual([200, []]);
  });
  it.each([
    { From: 'Anonymous' },
    { From: 'RESTRICTED' },
    { From: '+266696687' },
    { From: '+7378742833' },
    { From: '7378742833' },
    { From: '+86282452253' },
    { From: '+8656696' },
    { From: '+2562533' },
    { From: '' },
    { From: 'sip:anonymous@anonymous.invalid' },
    { From: 'sip:+12125550149@pbx.test', SipHeader_Privacy: 'id' },
  ])('a withheld caller has no number, no contact, and is blocked as one: %j', async (caller) => {
    const digits = createHmac('sha1', 'leg').update(JSON.stringify(caller)).digest('hex');
    const call = async (CallSid: string) => {
      const form = {
        AccountSid: twilioAccount.accountSid,
        CallSid,
        CallStatus: 'ringing',
        Direction: 'inbound',
        To: number,
        ...caller,
      };
      const url = `${twilioAccount.publicUrl}/carriers/twilio/voice`;
      return (await post('/carriers/twilio/voice', form, sign(url, form))).body;
    };
    expect(await call(`CA${digits.slice(0, 31)}1`)).not.toContain('<Reject');
    const { as, services } = t.world;
    const blocked = await as(owner).request(compliance.addBlock, {
      body: { company_id: companyId, target: 'anonymous', action: 1, global: false },
    });
    expect(await call(`CA${digits.slice(0, 31)}2`)).toContain('<Reject');
    await as(owner).request(compliance.removeBlock, { params: { id: blocked.body.data.id } });
    const parties = await services.db.unscoped
      .selectFrom('call')
      .select('party')
      .where('company_id', '=', companyId)
      .orderBy('id', 'desc')
      .limit(2)
      .execute();
    expect(parties).toEqual([{ party: 'anonymous' }, { party: 'anonymous' }]);
    const contacts = await services.db.unscoped
      .selectFrom('contact')
      .select('number')
      .where('company_id', '=', companyId)
      .where('number', 'in', ['+266696687', '+7378742833', '+86282452253', '+12125550149'])
      .execute();
    expect(contacts).toEqual([]);
  });
  it('a text that arrives twice is stored once; its pictures are fetched with our credentials', async () => {
    const form = aText(`SM${'3'.repeat(32)}`, { Body: 'once only' });
    const url = `${twilioAccount.publicUrl}/carriers/twilio/sms`;
    await Promise.all([
      post('/carriers/twilio/sms', form, sign(url, form)),
      post('/carriers/twilio/sms', form, sign(url, form)),
    ]);
    await post('/carriers/twilio/sms', form, sign(url, form));
    const items = await t.world.services.db.unscoped
      .selectFrom('conversation_item')
      .select(['carrier', 'text'])
      .where('text', '=', 'once only')
      .execute();
    expect(items).toEqual([{ carrier: 'twilio', text: 'once only' }]);
    expect(
      await t.world.services.gateways.messaging.fetchMedia('https://evil.example.test/Media/ME1'),
    ).toBeNull();
  });
  it('a voice webhook is typically answered well within 300 ms', async () => {
    const took: number[] = [];
    for (let i = 0; i < 15; i++) {
      const form = {
        AccountSid: twilioAccount.accountSid,
        CallSid: `CA${String(i).padStart(32, 'a')}`,
        CallStatus: 'ringing',
        Direction: 'inbound',
        From: '+12125550147',
        To: number,
      };
      const at = performance.now();
      const answer = await post(
        '/carriers/twilio/voice',
        form,
        sign(`${twilioAccount.publicUrl}/carriers/twilio/voice`, form),
      );
      took.push(performance.now() - at);
      expect([
        answer.statusCode,
        answer.body.includes('<Say') || answer.body.includes('<Play'),
        invalidTwiml(answer.body),
      ]).toEqual([200, true, []]);
    }
    console.log(
      `a voice webhook of Twilio is answered in ${Math.round(took.toSorted((a, b) => a - b)[7]!)} ms (median of 15)`,
    ); // oxlint-disable-line no-console -- printed, never gated
  });
  it('error 21610 records the recipient’s opt-out, so the next text is not submitted', async () => {
    const to = '+12125550191';
    t.twilio.rejectsTexts.set(to, 21610);
    const numberId = (
      await t.world.services.db.unscoped
        .selectFrom('number')
        .select('id')
        .where('number', '=', number)
        .executeTakeFirstOrThrow()
    ).id;
    const said = await t.world
      .as(owner)
      .request(conversations.sendMessage, { body: { companyId, numberId, to, message: 'Hello' } });
    expect(said.status, JSON.stringify(said.body)).toBeLessThan(300);
    await t.world.drainJobs();
    const item = await t.world.services.db.unscoped
      .selectFrom('conversation_item')
      .select(['delivery_state', 'details'])
      .where('company_id', '=', companyId)
      .where('text', '=', 'Hello')
      .executeTakeFirstOrThrow();
    expect([item.delivery_state, (item.details as { errorCode: string }).errorCode]).toEqual([
      'failed',
      'opted_out',
    ]);
    const before = t.twilio.requests.length;
    const again = await t.world
      .as(owner)
      .request(conversations.sendMessage, { body: { companyId, numberId, to, message: 'Again' } });
    expect(again.status).toBe(422);
    expect(t.twilio.requests.length).toBe(before);
  });
  it('a sent text goes out once and its receipts mark it delivered, also when repeated and out of order', async () => {
    const numberId = (
      await t.world.services.db.unscoped
        .selectFrom('number')
        .select('id')
        .where('number', '=', number)
        .executeTakeFirstOrThrow()
    ).id;
    Object.assign(t.twilio.faults, { twice: true, reordered: true });
    await t.world.as(owner).request(conversations.sendMessage, {
      body: { companyId, numberId, to: '+12125550192', message: 'Your table is ready' },
    });
    await t.world.drainJobs();
    await expect
      .poll(
        async () =>
          (
            await t.world.services.db.unscoped
              .selectFrom('conversation_item')
              .select(['delivery_state', 'carrier'])
              .where('text', '=', 'Your table is ready')
              .executeTakeFirst()
          )?.delivery_state,
        { timeout: 30_000 },
      )
      .toBe('delivered');
    Object.assign(t.twilio.faults, { twice: false, reordered: false });
    expect(
      [...t.twilio.messages.values()].filter((m) => m.body === 'Your table is ready'),
    ).toHaveLength(1);
  });
  describe('a recording that Twilio does not start at once', () => {
    const join = (call: string) => {
      const [path, form] = [
        `/carriers/twilio/voice/dial?leg=${call}`,
        {
          AccountSid: twilioAccount.accountSid,
          CallSid: call,
          StatusCallbackEvent: 'participant-join',
        },
      ];
      return post(path, form, sign(twilioAccount.publicUrl + path, form));
    };
    /** An answered caller, and how often the call is recorded. */
    const aTalk = async () => {
      const call = t.twilio.callIn('+12125550149', number);
      await expect.poll(() => call.status, { timeout: 30_000 }).toBe('in-progress');
      const id = `${call.sid}.r`;
      const voice = t.world.services.gateways.carriers.voice('twilio');
      return {
        call: call.sid,
        recorded: () =>
          [...t.twilio.recordings.values()]
            .filter((r) => r.callSid === call.sid)
            .map((r) => r.status),
        begin: () =>
          voice.perform([
            { id: `${id}.1`, do: 'startRecording', recordingId: id, legs: [call.sid, 'other'] },
          ]),
        stop: () => voice.perform([{ id: `${id}.2`, do: 'stopRecording', recordingId: id }]),
        later: () =>
          sql`update carrier_object set facts = facts || '{"askedAt": 1}' where kind = 'recording' and key = ${id}`.execute(
            t.world.services.db.unscoped,
          ),
        end: () => t.twilio.end(call, 'completed'),
      };
    };
    it('starts on a retry, and stops on a retry', async () => {
      const talk = await aTalk();
      await join(talk.call);
      for (const [ask, becomes] of [
        [talk.begin, ['in-progress']],
        [talk.stop, ['stopped']],
      ] as const) {
        t.twilio.faults.away = true;
        await expect(ask()).rejects.toThrow();
        t.twilio.faults.away = false;
        for (let times = 0; times < 2; times++) await ask();
        expect(talk.recorded()).toEqual(becomes);
      }
      talk.end();
    });
    it('is found when only the response was lost: it is not started twice and can be stopped', async () => {
      const talk = await aTalk();
      await join(talk.call);
      t.twilio.faults.loseAnswers.recordings = 1;
      await expect(talk.begin()).rejects.toThrow();
      await expect(talk.begin(), 'the answer may still come').rejects.toThrow('shortly whether');
      await talk.later();
      await talk.begin();
      expect(talk.recorded()).toEqual(['in-progress']);
      await talk.stop();
      expect(talk.recorded()).toEqual(['stopped']);
      talk.end();
    });
    it('is stopped although it is unknown whether it started', async () => {
      const talk = await aTalk();
      await join(talk.call);
      t.twilio.faults.loseAnswers.recordings = 1;
      await expect(talk.begin()).rejects.toThrow();
      await expect(talk.stop()).rejects.toThrow('shortly whether');
      await talk.later();
      await talk.stop();
      expect(talk.recorded()).toEqual(['stopped']);
      talk.end();
    });
    it('is not looked up after a refusal, and starts on a retry', async () => {
      const talk = await aTalk();
      await join(talk.call);
      const call = t.twilio.calls.get(talk.call)!;
      call.status = 'queued';
      await talk.begin();
      await talk.stop();
      expect(talk.recorded()).toEqual([]);
      call.status = 'in-progress';
      talk.end();
      const again = await aTalk();
      await join(again.call);
      const its = t.twilio.calls.get(again.call)!;
      its.status = 'queued';
      await again.begin();
      expect(again.recorded()).toEqual([]);
      its.status = 'in-progress';
      await again.begin();
      expect(again.recorded()).toEqual(['in-progress']);
      again.end();
    });
    it('waits for the leg to join, and is retried when Twilio is unreachable then', async () => {
      const talk = await aTalk();
      await talk.begin();
      expect(talk.recorded()).toEqual([]);
      t.twilio.faults.away = true;
      expect((await join(talk.call)).statusCode).toBe(204);
      t.twilio.faults.away = false;
      expect(talk.recorded()).toEqual([]);
      await expect.poll(talk.recorded, { timeout: 30_000 }).toEqual(['in-progress']);
      talk.end();
    });
  });
  it('a call and a text whose last webhooks were lost are reconciled and end', async () => {
    const call = t.twilio.callIn('+12125550148', number);
    await expect.poll(() => call.heard.length, { timeout: 30_000 }).toBeGreaterThan(0);
    call.statusCallback = null; // no webhook reports their end
    t.twilio.end(call, 'completed');
    // Its timers run first; each counts as a sign of life.
    for (let i = 0; i < 3; i++) await tickCallAfter(t.world, call.sid, 30);
    const { status, ended_at } = await t.world.services.db.unscoped
      .selectFrom('call')
      .innerJoin('carrier_call_index', 'carrier_call_index.call_id', 'call.id')
      .select(['status', 'ended_at'])
      .where('carrier_call', '=', call.sid)
      .executeTakeFirstOrThrow();
    expect([status, ended_at !== null]).toEqual([4, true]);

    const numberId = (
      await t.world.services.db.unscoped
        .selectFrom('number')
        .select('id')
        .where('number', '=', number)
        .executeTakeFirstOrThrow()
    ).id;
    t.twilio.faults.lateMs = 600_000; // its receipts are lost
    await t.world.as(owner).request(conversations.sendMessage, {
      body: { companyId, numberId, to: '+12125550193', message: 'See you at nine' },
    });
    await t.world.drainJobs();
    const state = async () =>
      (
        await t.world.services.db.unscoped
          .selectFrom('conversation_item')
          .select('delivery_state')
          .where('text', '=', 'See you at nine')
          .executeTakeFirst()
      )?.delivery_state;
    expect(await state()).toBe('sent');
    t.world.clock.advance(3700);
    await reconcileTexts(systemCtx(t.world.services, 0, t.world.notifier));
    expect(await state()).toBe('delivered');
    t.twilio.faults.lateMs = 0;
  });
});
