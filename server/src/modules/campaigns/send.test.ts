import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  campaigns as contract,
  settings as generalSettings,
  conversations,
  groups,
} from '#contract';
import { createTestApp } from '../../../test/support/test-app.ts';
import { recordReply } from './store-recipients.ts';
import {
  createSender,
  readCampaign,
  registerNumber,
  send,
  type TestSender,
} from '../../../test/support/campaigns.ts';

const app = await createTestApp();
const until = async (s: TestSender, id: number, state: string) => {
  await expect
    .poll(
      async () => {
        await app.drainJobs();
        return (await readCampaign(app, s, id)).state;
      },
      { timeout: 30_000, interval: 100 },
    )
    .toBe(state);
  await app.drainJobs();
  return readCampaign(app, s, id);
};
const events = async (s: TestSender, id: number, query: Record<string, unknown> = {}) =>
  (
    await app.as(s.owner).request(contract.listCampaignEvents, {
      params: { id },
      query: { size: 100, ...query },
    })
  ).body;
const carried = async (s: TestSender) =>
  (
    await sql<{
      to_number: string;
      body: string;
      key: string;
    }>`select to_number, body, key from sandbox.text where outgoing and from_number = ${s.ours}`.execute(
      app.services.db.unscoped,
    )
  ).rows;
const incoming = (s: TestSender, from: string, text: string) =>
  app
    .as(null)
    .inject({ method: 'POST', url: '/sandbox/texts', payload: { from, to: s.ours, text } });
const settings = (s: TestSender, more: object) =>
  app.services.db.systemTransaction((tx) =>
    tx
      .updateTable('company')
      .set({ settings: JSON.stringify(more) })
      .where('id', '=', s.company.id)
      .execute(),
  );
const awake = { quiet_hours: { start: '00:00', end: '00:00', mode: 'recipient' } };

describe('sending a campaign', () => {
  test('each member of the group gets their own text once, and it shows in the inbox', async () => {
    const s = await createSender(app, 30);
    await registerNumber(app, s.company.id, s.number);
    const { id } = await send(app, s, { text: 'Hi {{first_name|there}}!' });
    const done = await until(s, id, 'sent');
    expect(done).toMatchObject({
      total_count: 30,
      pending_count: 0,
      sent_count: 30,
      delivered_count: 30,
      failed_count: 0,
      unknown_count: 0,
      credits_used: 30,
      started: true,
      joined_since: 0,
    });
    const texts = await carried(s);
    expect(texts.map((t) => t.to_number).sort()).toEqual([...s.people].sort());
    expect(texts.every((t) => /^Hi Person\d+!\nReply STOP to stop\.$/.test(t.body))).toBe(true);
    const inbox = (
      await app.as(s.owner).request(conversations.listConversations, {
        query: { perPage: 100, isArchived: 0 },
      } as never)
    ).body;
    expect(inbox.data).toHaveLength(30);
    expect(inbox.data[0]).toMatchObject({
      latestItem: { type: 'message', isInbound: false, details: { deliveryState: 'delivered' } },
      numUnreadItems: 0,
    });
    const page = await events(s, id, { status: 'delivered', size: 10 });
    expect(page.meta.total).toBe(30);
    expect(page.data).toHaveLength(10);
    expect(page.data[0]).toMatchObject({
      state: 'delivered',
      segments: 1,
      text_version: 1,
      conversation_id: expect.any(Number),
    });
  });

  test('contacts who opted out, are blocked, have no usable number or were texted recently are skipped with the reason', async () => {
    const s = await createSender(app, 6);
    await registerNumber(app, s.company.id, s.number);
    await app.services.db.transaction({ companyId: s.company.id }, async (tx) => {
      await tx
        .insertInto('opt_out')
        .values({
          company_id: s.company.id,
          number: s.people[0]!,
          source: 'keyword',
          opted_out_at: new Date(),
        })
        .execute();
      await tx
        .insertInto('block')
        .values({ company_id: s.company.id, target: `${s.people[1]!.slice(0, -1)}*`, action: 1 })
        .execute();
      await tx
        .insertInto('block')
        .values(
          s.people.slice(2).map((target) => ({ company_id: s.company.id, target, action: 0 })),
        )
        .execute();
      await tx
        .updateTable('contact')
        .set({ invalid: true })
        .where('number', '=', s.people[2]!)
        .execute();
    });
    const first = await until(s, (await send(app, s)).id, 'sent');
    expect(first).toMatchObject({ sent_count: 3, skipped_count: 3 });
    const why = Object.fromEntries(
      (await events(s, first.id, { status: 'skipped' })).data.map((e) => [
        e.contact.number,
        e.skip_reason,
      ]),
    );
    expect(why).toEqual({
      [s.people[0]!]: 'unsubscribed',
      [s.people[1]!]: 'blocked',
      [s.people[2]!]: 'invalid',
    });
    const second = await until(s, (await send(app, s)).id, 'sent');
    expect(second).toMatchObject({ sent_count: 0, skipped_count: 6 });
    expect(
      (await events(s, second.id)).data.filter((e) => e.skip_reason === 'recently_texted'),
    ).toHaveLength(3);
  });

  test('who may have opted out is skipped until someone decides, also while it is being sent', async () => {
    const s = await createSender(app, 3);
    await registerNumber(app, s.company.id, s.number);
    await incoming(s, s.people[0]!, 'Please take me off your list');
    await incoming(s, s.people[1]!, 'Take the lid off');
    await app.drainJobs();
    const draft = await send(app, s, { state: 'draft' });
    const preview = await app
      .as(s.owner)
      .request(contract.previewCampaign, { params: { id: draft.id } });
    expect(preview.body.data).toMatchObject({ recipients: 2, skipped: { possible_opt_out: 1 } });
    const first = await until(s, (await send(app, s)).id, 'sent');
    expect(first).toMatchObject({ sent_count: 2, skipped_count: 1 });
    const skipped = (await events(s, first.id, { status: 'skipped' })).data;
    expect(skipped).toMatchObject([
      { contact: { number: s.people[0] }, skip_reason: 'possible_opt_out' },
    ]);
    const conversation = (
      await app.as(s.owner).request(conversations.listConversations, {
        params: { companyId: s.company.id },
        query: { possibleOptOut: 1 },
      } as never)
    ).body.data[0]!;
    await app.as(s.owner).request(conversations.decidePossibleOptOut, {
      params: { companyId: s.company.id, id: conversation.id },
      body: { decision: 'keep' },
    });
    const second = await until(s, (await send(app, s)).id, 'sent');
    expect(second).toMatchObject({ sent_count: 1, skipped_count: 2 });
  });

  test('a campaign outside of the inbox shows there only after a reply; replies and opt-outs are counted', async () => {
    const s = await createSender(app, 4);
    await registerNumber(app, s.company.id, s.number);
    const { id } = await send(app, s, { skip_inbox: true });
    await until(s, id, 'sent');
    const listed = async () =>
      (
        await app
          .as(s.owner)
          .request(conversations.listConversations, { query: { isArchived: 0 } } as never)
      ).body.data.map((c) => c.recipient);
    expect(await listed()).toEqual([]);
    await incoming(s, s.people[0]!, 'Yes please');
    await incoming(s, s.people[0]!, 'At ten');
    await incoming(s, s.people[1]!, 'STOP');
    await app.drainJobs();
    expect(await readCampaign(app, s, id)).toMatchObject({
      responded_count: 1,
      unsubscriber_count: 1,
    });
    expect((await events(s, id, { status: 'responded' })).data).toMatchObject([
      { reply: 'Yes please', contact: { number: s.people[0] } },
    ]);
    expect((await events(s, id, { status: 'unsubscribed' })).data).toHaveLength(1);
    expect((await events(s, id, { search: 'Person1' })).data).toMatchObject([
      { contact: { name: 'Person1 Test' } },
    ]);
    expect(await listed()).toContain(s.people[0]);
  });

  test('the earliest reply counts, in whatever order replies are processed', async () => {
    const s = await createSender(app, 1);
    await registerNumber(app, s.company.id, s.number);
    const { id } = await send(app, s);
    await until(s, id, 'sent');
    const line = (await events(s, id)).data[0]!.id;
    const at = (second: number) => new Date(Date.UTC(2026, 4, 5, 10, 0, second));
    for (const [text, second] of [
      ['At ten', 2],
      ['Yes please', 1],
      ['Or eleven', 3],
    ] as const)
      await app.services.db.transaction({ companyId: s.company.id }, (tx) =>
        recordReply(tx, s.company.id, line, text, at(second)),
      );
    expect((await events(s, id, { status: 'responded' })).data).toMatchObject([
      { reply: 'Yes please', responded_at: at(1).toISOString() },
    ]);
    expect(await readCampaign(app, s, id)).toMatchObject({ responded_count: 1 });
  });

  test('recipients whom the carrier reports as opted out fail with that reason and are never texted again', async () => {
    const s = await createSender(app, 2);
    await registerNumber(app, s.company.id, s.number);
    await sql`insert into sandbox.phone (number, refuses) values (${s.people[0]!}, 'opted_out'), (${s.people[1]!}, 'landline')`.execute(
      app.services.db.unscoped,
    );
    const done = await until(s, (await send(app, s)).id, 'sent');
    expect(done).toMatchObject({ sent_count: 0, failed_count: 2, credits_used: 0 });
    expect((await events(s, done.id)).data.map((e) => e.error_text).sort()).toEqual([
      'The number is a landline.',
      'The recipient opted out at the carrier.',
    ]);
    expect(
      (
        await app.services.db.transaction({ companyId: s.company.id }, (tx) =>
          tx.selectFrom('opt_out').select('number').execute(),
        )
      ).map((r) => r.number),
    ).toEqual([s.people[0]]);
  });
});

describe('sending hours', () => {
  const going = { paused_reason: null, paused_at: null, paused_by: null, auto_resume_at: null };
  const hourThere = (at: Date) =>
    Number(
      new Intl.DateTimeFormat('en-US', {
        timeZone: 'America/New_York',
        hour: 'numeric',
        hourCycle: 'h23',
      }).format(at),
    );
  /**
   * The next time when it is this hour in New York, found in steps of an hour because some days
   * there have 23 or 25 hours.
   */
  const inNewYork = (hour: number) => {
    while (hourThere(app.clock.value) !== hour) app.clock.advance(3600);
  };
  test('western zones are texted later than eastern ones, and after the last hour sending continues the next morning', async () => {
    const s = await createSender(app, 8, { quiet: true, areaCodes: ['212', '415'] });
    await registerNumber(app, s.company.id, s.number);
    inNewYork(9);
    const { id } = await send(app, s);
    await expect
      .poll(
        async () => {
          await app.drainJobs();
          return (await readCampaign(app, s, id)).sent_count;
        },
        { timeout: 30_000, interval: 100 },
      )
      .toBe(4);
    expect((await carried(s)).every((t) => t.to_number.startsWith('+1212'))).toBe(true);
    // It is 6:00 there, so it waits until 8:00 and shows that.
    const waits = await until(s, id, 'paused');
    expect(waits).toMatchObject({ paused_reason: 'window_closed', paused_by: null });
    expect(hourThere(new Date(waits.auto_resume_at!))).toBe(11);
    inNewYork(12);
    expect(await until(s, id, 'sent')).toMatchObject({ sent_count: 8, ...going });
  });

  test('at the end of the day it pauses until the next opening, and a text about today waits for a person', async () => {
    const s = await createSender(app, 2, { quiet: true });
    await registerNumber(app, s.company.id, s.number);
    inNewYork(22);
    const { id } = await send(app, s);
    const paused = await until(s, id, 'paused');
    expect(paused).toMatchObject({
      paused_reason: 'window_closed',
      paused_by: null,
      resume_next_day: true,
    });
    expect(
      new Intl.DateTimeFormat('en-US', {
        timeZone: 'America/New_York',
        hour: 'numeric',
        hourCycle: 'h23',
      }).format(new Date(paused.auto_resume_at!)),
    ).toBe('08');
    inNewYork(8);
    expect((await until(s, id, 'sent')).sent_count).toBe(2);
    const other = await createSender(app, 2, { quiet: true });
    inNewYork(22);
    expect(
      await until(other, (await send(app, other, { text: 'Only today!' })).id, 'paused'),
    ).toMatchObject({
      paused_reason: 'window_closed',
      auto_resume_at: null,
      resume_next_day: false,
    });
  });

  test('a later opening on the same day resumes it, even if the text is about today', async () => {
    const s = await createSender(app, 2, { quiet: true });
    await registerNumber(app, s.company.id, s.number);
    inNewYork(5);
    const { id } = await send(app, s, { text: 'Only today!' });
    const waits = await until(s, id, 'paused');
    expect(waits).toMatchObject({
      paused_reason: 'window_closed',
      paused_by: null,
      sent_count: 0,
      resume_next_day: false,
    });
    expect(hourThere(new Date(waits.auto_resume_at!))).toBe(8);
    const listed = (
      await app.as(s.owner).request(contract.listCampaigns, { query: { company_id: s.company.id } })
    ).body.data[0];
    expect(listed).toMatchObject({ id, state: 'paused', auto_resume_at: waits.auto_resume_at });
    inNewYork(8);
    expect(await until(s, id, 'sent')).toMatchObject({ sent_count: 2, ...going });
  });

  test('if workers were down until the next day, a text about today waits for a person', async () => {
    const s = await createSender(app, 1, { quiet: true });
    inNewYork(5);
    const { id } = await send(app, s, { text: 'Only today!' });
    await until(s, id, 'paused');
    app.clock.advance(26 * 3600);
    await expect
      .poll(
        async () => {
          await app.drainJobs();
          return (await readCampaign(app, s, id)).auto_resume_at;
        },
        { timeout: 30_000, interval: 100 },
      )
      .toBeNull();
    expect(await readCampaign(app, s, id)).toMatchObject({
      state: 'paused',
      paused_reason: 'window_closed',
      sent_count: 0,
    });
  });

  test('a campaign paused by a person while it waits is resumed only by a person', async () => {
    const s = await createSender(app, 1, { quiet: true });
    await registerNumber(app, s.company.id, s.number);
    inNewYork(22);
    const { id } = await send(app, s);
    await until(s, id, 'paused');
    const act = (what: typeof contract.pauseCampaign) =>
      app.as(s.owner).request(what, { params: { id } });
    expect((await act(contract.pauseCampaign)).body.data).toMatchObject({
      state: 'paused',
      paused_reason: 'by_hand',
      paused_by: { id: s.owner.id },
      auto_resume_at: null,
    });
    expect(await act(contract.pauseCampaign)).toMatchObject({
      status: 409,
      body: { code: 'campaign.not_pausable' },
    });
    inNewYork(10);
    const later = await send(app, s, { title: 'Later' });
    await until(s, later.id, 'sent');
    expect(await readCampaign(app, s, id)).toMatchObject({
      state: 'paused',
      paused_reason: 'by_hand',
      sent_count: 0,
    });
    const resumed = await app
      .as(s.owner)
      .request(contract.resumeCampaign, { params: { id }, body: { mode: 'continue' } });
    expect(resumed.body.data).toMatchObject({ state: 'sending', ...going });
  });

  test('changing its own or the company’s hours while it waits recomputes when it resumes', async () => {
    const s = await createSender(app, 1, { quiet: true });
    await registerNumber(app, s.company.id, s.number);
    inNewYork(22);
    const { id } = await send(app, s);
    const opens = async () => {
      await app.drainJobs();
      return hourThere(new Date((await readCampaign(app, s, id)).auto_resume_at!));
    };
    await until(s, id, 'paused');
    const hours = (end: string) =>
      app.as(s.owner).request(generalSettings.updateGeneralSettings, {
        query: { company_id: s.company.id },
        body: { quiet_hours: { start: '21:00', end, mode: 'recipient' } },
      });
    expect((await hours('11:00')).status).toBe(200);
    expect(await opens()).toBe(11);
    const change = (body: object) =>
      app.as(s.owner).request(contract.patchCampaign, { params: { id }, body });
    expect(
      (await change({ quiet_hours: { start: '21:00', end: '14:00', mode: 'recipient' } })).status,
    ).toBe(200);
    expect(await opens()).toBe(14);
    // The campaign no longer follows the company's hours.
    expect((await hours('09:00')).status).toBe(200);
    expect(await opens()).toBe(14);
    expect((await change({ resume_next_day: false })).body.data).toMatchObject({
      state: 'paused',
      auto_resume_at: null,
    });
    inNewYork(15);
    await send(app, s, { title: 'Later' }).then((c) => until(s, c.id, 'sent'));
    expect(await readCampaign(app, s, id)).toMatchObject({ state: 'paused', sent_count: 0 });
  });

  test('a campaign an hour late doesn’t start without a person', async () => {
    const s = await createSender(app, 1);
    const { id } = await send(app, s, {
      should_be_sent_at: new Date(app.clock.value.getTime() + 60_000).toISOString(),
    });
    app.clock.advance(60 + 3700);
    expect(await until(s, id, 'paused')).toMatchObject({
      paused_reason: 'stale_schedule',
      total_count: 0,
      auto_resume_at: null,
    });
    await app.as(s.owner).request(contract.resumeCampaign, { params: { id }, body: {} });
    expect((await until(s, id, 'sent')).sent_count).toBe(1);
  });
});

test('a group that is too large or deleted is rejected, or fails before the first text', async () => {
  const s = await createSender(app, 3);
  await settings(s, { ...awake, max_campaign_size: 2 });
  expect(
    await app.as(s.owner).request(contract.createCampaign, {
      body: {
        company_id: s.company.id,
        title: 'Big',
        text: 'x',
        groups: [s.group],
        number_id: s.number,
        state: 'queued',
      },
    }),
  ).toMatchObject({
    status: 422,
    body: {
      code: 'campaign.too_large',
      message: 'This group has 3 people, and a campaign can have up to 2. Choose a smaller group.',
    },
  });
  await settings(s, awake);
  const { id } = await send(app, s, {
    should_be_sent_at: new Date(app.clock.value.getTime() + 60_000).toISOString(),
  });
  await app.services.db.transaction({ companyId: s.company.id }, (tx) =>
    tx
      .updateTable('contact_group')
      .set({ deleted_at: new Date() })
      .where('id', '=', s.group)
      .execute(),
  );
  app.clock.advance(120);
  expect(await until(s, id, 'failed')).toMatchObject({
    failed_reason: 'The group no longer exists.',
    total_count: 0,
  });
});

test('an unregistered number sends one segment a second', async () => {
  const s = await createSender(app, 4);
  const asked = performance.now();
  await until(s, (await send(app, s)).id, 'sent');
  // The fourth may be claimed only after three whole windows.
  expect(performance.now() - asked).toBeGreaterThan(3000);
}, 180_000);

test('a group with a rule is resolved when the campaign starts', async () => {
  const s = await createSender(app, 3);
  await registerNumber(app, s.company.id, s.number);
  await app.services.db.transaction({ companyId: s.company.id }, (tx) =>
    tx
      .updateTable('contact')
      .set({ city: 'Albany' })
      .where('number', 'in', s.people.slice(0, 2))
      .execute(),
  );
  const rule = await app.as(s.owner).request(groups.createGroup, {
    body: {
      companyId: s.company.id,
      name: 'Albany',
      virtual: true,
      rule: { all: [{ field: 'city', op: 'is', value: 'Albany' }] },
    },
  });
  expect(rule.status).toBe(201);
  expect(
    await until(s, (await send(app, s, { groups: [rule.body.data.id] })).id, 'sent'),
  ).toMatchObject({ total_count: 2, sent_count: 2 });
  expect((await carried(s)).map((t) => t.to_number).sort()).toEqual(s.people.slice(0, 2).sort());
});

test('a large campaign that starts refreshes the statistics of recipients', async () => {
  const s = await createSender(app, 500);
  await registerNumber(app, s.company.id, s.number);
  const known = async () =>
    (
      await app.services.db.pool.query<{ n: number }>(
        `select reltuples::int n from pg_class where relname = 'campaign_recipient'`,
      )
    ).rows[0]!.n;
  expect(await known()).toBeLessThan(500);
  const { id } = await send(app, s);
  await expect
    .poll(
      async () => {
        await app.drainJobs();
        return known();
      },
      { timeout: 30_000, interval: 100 },
    )
    .toBeGreaterThanOrEqual(500);
  await app.as(s.owner).request(contract.cancelCampaign, { params: { id } });
});
