import { describe, expect, test } from 'vitest';
import { calls, compliance, schedules, settings, team as contract } from '#contract';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { uniquePhone, inboxHelpers } from '../../../../test/support/inbox.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
let callId = 90_000;

/** A company open Monday to Friday, nine to five in New York, on a Monday at 22:00 there. */
async function aNight(texts: { after_hours?: string; text_back?: string }) {
  const { company, owner } = await app.createCompany();
  const number = await inbox.number(company.id);
  await app.as(owner).request(schedules.saveSchedule, {
    params: { companyId: company.id },
    body: { timezone: 'America/New_York', preset: 2 },
  });
  await app
    .as(owner)
    .request(contract.setAutomaticTexts, { params: { id: number.id }, body: texts });
  at('2026-11-24T03:00:00Z');
  const miss = async (phone: string, more: Record<string, unknown> = {}) => {
    const call = {
      callId: callId++,
      numberId: number.id,
      party: phone,
      outbound: false,
      contactId: null,
      startedAt: app.clock.value.toISOString(),
      source: null,
    };
    await inbox.inCompany(company.id).transaction(async (t) => {
      await t.publish(calls.callStarted, call);
      await t.publish(calls.callEnded, {
        ...call,
        status: 8,
        outcome: 2,
        because: '',
        endedAt: call.startedAt,
        durationSeconds: 20,
        ringSeconds: 20,
        talkSeconds: 0,
        answeredBy: null,
        extensionLabel: null,
        recordingFileId: null,
        alertEmails: [],
        ...more,
      });
    });
    await app.drainJobs();
  };
  const text = async (phone: string, words = 'Hello') => {
    await inbox.text(phone, number.number, words);
    await app.drainJobs();
  };
  const got = async (phone: string) => (await inbox.received(phone)).map((t) => t.text);
  return { company, owner, number, miss, text, got };
}
/** Moves the clock forward to this time; never back. */
let year = 2027;
const at = (instant: string): void => {
  app.clock.value = new Date(instant.replace('2026', String(year)));
};
const closed = 'We are closed and answer in the morning.';

describe('after hours', () => {
  test('a text is answered once per conversation and closed period, and again the next night', async () => {
    const night = await aNight({ after_hours: closed });
    const phone = uniquePhone();
    for (const words of ['Hello', 'Anybody there?', 'Hm']) await night.text(phone, words);
    expect(await night.got(phone)).toEqual([closed]);
    app.clock.advance(12 * 3600); // Ten in the morning: open.
    await night.text(phone, 'Good morning');
    expect(await night.got(phone)).toEqual([closed]);
    app.clock.advance(12 * 3600);
    await night.text(phone, 'Good night');
    expect(await night.got(phone)).toEqual([closed, closed]);
    const [mine] = (
      await inbox.items(night.owner, (await inbox.list(night.owner)).data[0]!.id)
    ).filter((i) => !i.isInbound);
    expect(mine).toMatchObject({
      kind: 'message',
      actor: null,
      details: { automatic: 'after_hours', deliveryState: expect.any(String) },
    });
  });

  test('two concurrent texts get one reply, and so does one that the carrier delivers twice', async () => {
    const night = await aNight({ after_hours: closed });
    const phone = uniquePhone();
    await Promise.all([
      inbox.text(phone, night.number.number, 'one'),
      inbox.text(phone, night.number.number, 'two'),
      inbox.text(phone, night.number.number, 'three', { id: 'same' }),
      inbox.text(phone, night.number.number, 'three', { id: 'same' }),
    ]);
    await app.drainJobs();
    expect(await night.got(phone)).toEqual([closed]);
  });

  test('opted-out and blocked contacts, reserved keywords and our own numbers get no reply', async () => {
    const night = await aNight({ after_hours: closed });
    const [out, pest] = [uniquePhone(), uniquePhone()];
    await night.text(out, 'STOP');
    await night.text(out, 'why?');
    expect(
      (
        await app.as(night.owner).request(compliance.addBlock, {
          body: { company_id: night.company.id, target: pest },
        })
      ).status,
    ).toBe(201);
    await night.text(pest);
    expect((await night.got(out)).filter((t) => t === closed)).toEqual([]);
    expect(await night.got(pest)).toEqual([]);
    // Another company's number with its own reply: neither replies to the other, however long the
    // night.
    const other = await aNight({ after_hours: 'Nobody is here.' });
    await inbox.text(other.number.number, night.number.number, 'Nobody is here.');
    await app.drainJobs();
    const between = (await inbox.list(night.owner, { search: other.number.number })).data.map(
      (c) => c.id,
    );
    expect(between).toHaveLength(1);
    expect((await inbox.items(night.owner, between[0]!)).map((i) => i.isInbound)).toEqual([true]);
  });

  test('an auto-replying machine outside gets one reply', async () => {
    const night = await aNight({ after_hours: closed });
    const machine = uniquePhone();
    for (let i = 0; i < 6; i++) {
      await night.text(machine, 'I am away until Monday.');
      app.clock.advance(1);
    }
    expect(await night.got(machine)).toEqual([closed]);
  });

  test('when disabled, or while open, nothing is sent', async () => {
    const off = await aNight({});
    const phone = uniquePhone();
    await off.text(phone);
    const open = await aNight({ after_hours: closed });
    app.clock.advance(13 * 3600);
    const other = uniquePhone();
    await open.text(other);
    expect([await off.got(phone), await open.got(other)]).toEqual([[], []]);
    expect(
      (
        await app
          .as(open.owner)
          .request(contract.getAutomaticTexts, { params: { id: open.number.id } })
      ).body.data,
    ).toMatchObject({ after_hours: closed, text_back: null, open_now: true });
  });
});

describe('the company’s texts', () => {
  test('are sent from numbers without one, within the same limits, and never for another company', async () => {
    const [night, other] = [await aNight({}), await aNight({})];
    const set = (values: object) =>
      app.as(night.owner).request(settings.updateGeneralSettings, {
        query: { company_id: night.company.id },
        body: values,
      });
    const phone = uniquePhone();
    await night.miss(phone);
    await night.text(phone);
    expect(await night.got(phone)).toEqual([]);
    expect(
      (
        await set({
          missed_call_text_back: { enabled: true, text: 'Sorry from all of us.' },
          auto_reply_after_hours: { enabled: true, text: 'All of us are asleep.' },
        })
      ).status,
    ).toBe(200);
    await night.miss(phone);
    await night.miss(phone);
    app.clock.advance(10);
    await night.text(phone);
    await night.text(phone);
    expect(await night.got(phone)).toEqual(['Sorry from all of us.', 'All of us are asleep.']);
    const elsewhere = uniquePhone();
    await other.miss(elsewhere);
    await other.text(elsewhere);
    expect(await other.got(elsewhere)).toEqual([]);
    const next = uniquePhone();
    await app.as(night.owner).request(contract.setAutomaticTexts, {
      params: { id: night.number.id },
      body: { text_back: 'Sorry from me.' },
    });
    await night.miss(next);
    expect(await night.got(next)).toEqual(['Sorry from me.']);
    await set({ missed_call_text_back: { enabled: false, text: 'Sorry from all of us.' } });
    expect(
      (
        await app
          .as(night.owner)
          .request(contract.getAutomaticTexts, { params: { id: night.number.id } })
      ).body.data.company,
    ).toEqual({ after_hours: 'All of us are asleep.', text_back: null });
    expect((await set({ missed_call_text_back: { enabled: true, text: ' ' } })).status).toBe(422);
  });
});

describe('missed calls', () => {
  const sorry = 'Sorry we missed your call. How can we help?';
  test('get one text back per caller and hour', async () => {
    const night = await aNight({ text_back: sorry });
    const phone = uniquePhone();
    await night.miss(phone);
    await night.miss(phone);
    expect(await night.got(phone)).toEqual([sorry]);
    app.clock.advance(3601);
    await night.miss(phone);
    expect(await night.got(phone)).toEqual([sorry, sorry]);
  });
  test('answered, outbound and voicemail calls get none, nor do blocked, opted-out, anonymous and landline callers', async () => {
    const night = await aNight({ text_back: sorry });
    const phones = Array.from({ length: 6 }, uniquePhone);
    await night.miss(phones[0]!, { outcome: 1 });
    await night.miss(phones[1]!, { outbound: true });
    await night.miss(phones[2]!, { outcome: 3 });
    await night.text(phones[3]!, 'STOP');
    await night.miss(phones[3]!);
    expect(
      (
        await app.as(night.owner).request(compliance.addBlock, {
          body: { company_id: night.company.id, target: phones[4]! },
        })
      ).status,
    ).toBe(201);
    await night.miss(phones[4]!);
    const landline = '+12125550160';
    await app.services.db.transaction({ companyId: night.company.id }, (tx) =>
      tx
        .insertInto('caller_identity')
        .values({
          company_id: night.company.id,
          number: landline,
          identity: JSON.stringify({
            name: 'A shop',
            type: 'business',
            line_type: 'landline',
            carrier: null,
          }),
          source: 'test',
          checked_at: app.clock.value,
        })
        .execute(),
    );
    await night.miss(landline);
    await night.miss('anonymous');
    for (const phone of [...phones, landline])
      expect(
        (await night.got(phone)).filter((t) => t === sorry),
        phone,
      ).toEqual([]);
  });
  test('get no text from a number that must be verified before texting', async () => {
    const night = await aNight({ text_back: sorry });
    await app.services.db.systemTransaction((tx) =>
      tx
        .updateTable('number')
        .set({ provider_ref: 'PN1', sms_verification_status: 'pending' })
        .where('company_id', '=', night.company.id)
        .where('id', '=', night.number.id)
        .execute(),
    );
    const phone = uniquePhone();
    await night.miss(phone);
    expect(await night.got(phone)).toEqual([]);
  });
});
