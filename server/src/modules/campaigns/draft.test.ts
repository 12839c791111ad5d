import { sql } from 'kysely';
import { DateTime } from 'luxon';
import { beforeAll, describe, expect, test } from 'vitest';
import { campaigns as contract } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { publishDueCampaign } from './campaign-events.ts';
import { createSender, type TestSender } from '../../../test/support/campaigns.ts';

const app = await createTestApp();
let sender: TestSender;
beforeAll(async () => {
  sender = await createSender(app, 12);
});
const ask = (who: TestPerson = sender.owner) => app.as(who);
const create = (body: Record<string, unknown>, who?: TestPerson) =>
  ask(who).request(contract.createCampaign, {
    body: { company_id: sender.company.id, ...body },
  } as never);
const change = (id: number, body: Record<string, unknown>) =>
  ask().request(contract.updateCampaign, {
    params: { id },
    body: { _method: 'PATCH', ...body },
  });
const tomorrow = () => new Date(app.clock.value.getTime() + 86_400_000).toISOString();

describe('a campaign draft', () => {
  test('requires only a title and has the default opt-out text', async () => {
    expect(await create({ text: 'Hello' })).toMatchObject({
      status: 422,
      body: { errors: { title: [expect.any(String)] } },
    });
    const made = await create({ title: 'Spring' });
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({
      title: 'Spring',
      state: 'draft',
      status: 'draft',
      unsubscribe_text: 'Reply STOP to stop.',
      started: false,
      groups: [],
      number_id: null,
      total_count: 0,
    });
    expect(
      (await ask().request(contract.getCampaign, { params: { id: made.body.data.id } })).body.data,
    ).toEqual(made.body.data);
  });

  test('POST with _method PATCH changes it and updates recipients and cost', async () => {
    const { id } = (await create({ title: 'Summer' })).body.data;
    expect(
      (await ask().inject({ method: 'POST', url: `/api/campaigns/${id}`, payload: { title: 'x' } }))
        .status,
    ).toBe(422);
    const { data } = (
      await change(id, {
        text: 'Hi {{first_name|there}}',
        groups: [sender.group],
        number_id: sender.number,
        dynamic_fields: ['first_name'],
      })
    ).body;
    expect(data).toMatchObject({
      preview_count: 12,
      preview_credits: 12,
      dynamic_fields: ['first_name'],
      number_id: sender.number,
    });
    expect(data.groups).toMatchObject([{ id: sender.group, name: 'Patients' }]);
  });

  test('a start time in the past is shown as none', async () => {
    const { id } = (await create({ title: 'Late', should_be_sent_at: tomorrow() })).body.data;
    app.clock.advance(2 * 86_400);
    expect(
      (await ask().request(contract.getCampaign, { params: { id } })).body.data.should_be_sent_at,
    ).toBeNull();
  });
});

describe('validation', () => {
  const whole = () => ({
    title: 'Autumn',
    text: 'Hello',
    groups: [sender.group],
    number_id: sender.number,
    state: 'queued',
    should_be_sent_at: tomorrow(),
  });
  test.each([
    ['an empty message', { text: ' ' }, 'text', 'Enter a message.'],
    ['no words to stop', { unsubscribe_text: '' }, 'unsubscribe_text', 'Enter the opt-out text.'],
    ['no group', { groups: [] }, 'groups', 'Choose a group to send to.'],
    ['no number', { number_id: null }, 'number_id', 'Choose a number to send from.'],
    [
      'a time that has passed',
      { should_be_sent_at: '2020-01-01T00:00:00Z' },
      'should_be_sent_at',
      'Choose a time in the future, or leave it empty to send now.',
    ],
    ['a text too long', { text: 'x'.repeat(982) }, 'text', 'Max 1000 characters per SMS'],
    [
      'a link',
      { text: 'See example.com' },
      'text',
      'Links aren’t enabled for this account. Remove the link from the message.',
    ],
    ['an unknown tag', { text: 'Hi {{nickname}}' }, 'text', '{{nickname}} isn’t a merge tag.'],
  ])('%s fails with 422 on its field', async (_, wrong, field, sentence) => {
    expect(await create({ ...whole(), ...wrong })).toMatchObject({
      status: 422,
      body: { errors: { [field]: [sentence] } },
    });
  });

  test('merge tags count as ten characters, and links are accepted if the company has them enabled', async () => {
    expect(
      (
        await create({
          ...whole(),
          text: `{{first_name|somebody with a long name}}${'x'.repeat(971)}`,
        })
      ).status,
    ).toBe(201);
    expect((await create({ ...whole(), text: `{{first_name}}${'x'.repeat(972)}` })).status).toBe(
      422,
    );
    await app.services.db.systemTransaction((tx) =>
      tx
        .updateTable('company')
        .set({ links_enabled: true })
        .where('id', '=', sender.company.id)
        .execute(),
    );
    expect((await create({ ...whole(), text: 'See https://example.com/x' })).status).toBe(201);
    await app.services.db.systemTransaction((tx) =>
      tx
        .updateTable('company')
        .set({ links_enabled: false })
        .where('id', '=', sender.company.id)
        .execute(),
    );
  });

  test('progress is published at most once a second, and then with the latest figures', async () => {
    const { id } = (await create({ title: 'Autumn' })).body.data;
    const system = <T>(query: ReturnType<typeof sql<T>>) =>
      app.services.db.systemTransaction(async (tx) => (await query.execute(tx)).rows);
    const published = () =>
      system(
        sql<{
          state: string;
        }>`select data ->> 'state' state from outbox where event = 'campaigns-updated' and (data ->> 'id')::bigint = ${id} order by id`,
      );
    expect(await published()).toHaveLength(1);
    // Pretends that the last event was just published, however slow the machine is.
    await system(
      sql`update campaign set published_at = clock_timestamp() + interval '1 hour' where id = ${id}`,
    );
    for (const title of ['Autumn 2', 'Autumn 3'])
      expect((await change(id, { title })).status).toBe(200);
    expect(await published()).toHaveLength(1);
    expect(
      await system(
        sql`select id from campaign where id = ${id} and publish_due > clock_timestamp() + interval '59 minutes'`,
      ),
    ).toHaveLength(1);
    expect((await ask().request(contract.deleteCampaign, { params: { id } })).status).toBe(204);
    await publishDueCampaign(systemCtx(app.services, sender.company.id, app.notifier), {
      campaignId: id,
    });
    expect(await published()).toHaveLength(2);
    expect(
      await system(sql`select id from campaign where id = ${id} and publish_due is null`),
    ).toHaveLength(1);
    await system(
      sql`update campaign set published_at = clock_timestamp() - interval '1 second', deleted_at = null where id = ${id}`,
    );
    expect((await change(id, { title: 'Autumn 4' })).status).toBe(200);
    expect(await published()).toHaveLength(3);
  });

  test('a campaign is scheduled, listed, paused, resumed and canceled only from the states that allow it', async () => {
    const { data } = (await create({ ...whole(), title: 'Winter' })).body;
    expect(data).toMatchObject({ state: 'queued', status: 'scheduled' });
    const listed = async (filter: string) =>
      (
        await ask().request(contract.listCampaigns, {
          query: { company_id: sender.company.id, filter, include: 'groups' } as never,
        })
      ).body.data.map((c) => c.title);
    expect(await listed('Scheduled')).toContain('Winter');
    expect(await listed('in progress')).not.toContain('Winter');
    expect(await listed('wint')).toEqual(['Winter']);
    const moves = {
      pauseCampaign: contract.pauseCampaign,
      resumeCampaign: contract.resumeCampaign,
      cancelCampaign: contract.cancelCampaign,
    };
    const move = (what: keyof typeof moves, body = {}) =>
      ask().request(moves[what], { params: { id: data.id }, body });
    expect(await move('resumeCampaign')).toMatchObject({
      status: 409,
      body: { code: 'campaign.not_resumable' },
    });
    expect((await move('pauseCampaign')).body.data).toMatchObject({
      state: 'paused',
      paused_reason: 'by_hand',
      paused_by: { id: sender.owner.id },
    });
    expect(await move('pauseCampaign')).toMatchObject({
      status: 409,
      body: { code: 'campaign.not_pausable' },
    });
    expect(await move('resumeCampaign', { deliverAt: '2020-01-01T00:00:00Z' })).toMatchObject({
      status: 422,
      body: { errors: { deliverAt: [expect.any(String)] } },
    });
    expect((await move('resumeCampaign', { deliverAt: tomorrow() })).body.data).toMatchObject({
      state: 'queued',
      paused_reason: null,
      paused_at: null,
      paused_by: null,
    });
    expect(await ask().request(contract.deleteCampaign, { params: { id: data.id } })).toMatchObject(
      {
        status: 409,
      },
    );
    expect((await move('cancelCampaign')).body.data).toMatchObject({ state: 'canceled' });
    expect(await change(data.id, { title: 'x' })).toMatchObject({
      status: 409,
      body: {
        code: 'campaign.not_editable',
        message: 'This campaign was canceled and can’t be changed. Duplicate it to send another.',
      },
    });
    expect((await ask().request(contract.deleteCampaign, { params: { id: data.id } })).status).toBe(
      204,
    );
    expect((await ask().request(contract.getCampaign, { params: { id: data.id } })).status).toBe(
      404,
    );
  });

  test('time zones are stored by canonical name, unknown ones are rejected, and none means the company’s', async () => {
    const made = async (timezone: string) => create({ ...whole(), timezone });
    expect((await made('US/Eastern')).body.data.timezone).toBe('America/New_York');
    expect((await made('us/pacific')).body.data.timezone).toBe('America/Los_Angeles');
    expect((await made('')).body.data.timezone).toBe('America/New_York');
    for (const bogus of ['Bogus/Zone', '+05:00', 'Mars'])
      expect(await made(bogus)).toMatchObject({
        status: 422,
        body: { errors: { timezone: ['Choose a time zone from the list.'] } },
      });
    const { data } = (await made('America/Denver')).body;
    expect(await change(data.id, { timezone: 'Bogus/Zone' })).toMatchObject({ status: 422 });
    expect(
      (await ask().request(contract.getCampaign, { params: { id: data.id } })).body.data.timezone,
    ).toBe('America/Denver');
  });

  test('a campaign paused for over a week asks for confirmation, and one paused for over a month is over', async () => {
    const { id } = (await create(whole())).body.data;
    await ask().request(contract.pauseCampaign, { params: { id } });
    app.clock.advance(8 * 86_400);
    const resume = (body: Record<string, unknown>) =>
      ask().request(contract.resumeCampaign, { params: { id }, body });
    expect(await resume({ deliverAt: tomorrow() })).toMatchObject({
      status: 409,
      body: { code: 'campaign.confirm_resume' },
    });
    app.clock.advance(23 * 86_400);
    expect(await resume({ confirm: true, deliverAt: tomorrow() })).toMatchObject({
      status: 409,
      body: { code: 'campaign.too_old' },
    });
  });

  test('a user’s campaign waits for approval if the company requires it', async () => {
    await app.services.db.systemTransaction((tx) =>
      tx
        .updateTable('company')
        .set({ settings: JSON.stringify({ campaign_approval_required: true }) })
        .where('id', '=', sender.company.id)
        .execute(),
    );
    const user = await app.createPerson(sender.company.id, 'user');
    const { data } = (await create(whole(), user)).body;
    expect(data).toMatchObject({
      state: 'pending',
      status: 'draft',
      approval: { state: 'asked', asked_by: { id: user.id } },
    });
    expect(
      (await ask(user).request(contract.approveCampaign, { params: { id: data.id } })).status,
    ).toBe(403);
    expect(
      (await ask().request(contract.approveCampaign, { params: { id: data.id } })).body.data,
    ).toMatchObject({
      state: 'queued',
      approval: { state: 'approved', approved_by: { id: sender.owner.id } },
    });
    expect(
      await ask().request(contract.approveCampaign, { params: { id: data.id } }),
    ).toMatchObject({ status: 409 });
    expect((await create(whole())).body.data.state).toBe('queued');
  });

  test('users limited to other numbers can’t see it or send from it', async () => {
    const limited = await app.createPerson(sender.company.id, 'user', [sender.otherNumber]);
    const { id } = (await create(whole())).body.data;
    expect((await ask(limited).request(contract.getCampaign, { params: { id } })).status).toBe(404);
    expect(await create(whole(), limited)).toMatchObject({
      status: 422,
      body: { errors: { number_id: ['Choose one of your numbers.'] } },
    });
  });
});

test('the preview shows recipients, cost, and the character that forces UCS-2', async () => {
  const fresh = await createSender(app, 6);
  await app.services.db.transaction({ companyId: fresh.company.id }, async (tx) => {
    await tx
      .insertInto('opt_out')
      .values({
        company_id: fresh.company.id,
        number: fresh.people[0]!,
        source: 'keyword',
        opted_out_at: new Date(),
      })
      .execute();
    await tx
      .updateTable('contact')
      .set({ invalid: true })
      .where('number', '=', fresh.people[1]!)
      .execute();
    await tx
      .insertInto('block')
      .values({ company_id: fresh.company.id, target: fresh.people[2]!, action: 1 })
      .execute();
  });
  const { data } = (
    await app.as(fresh.owner).request(contract.previewUnsaved, {
      body: {
        company_id: fresh.company.id,
        title: 'x',
        text: 'Grüße {{first_name}} — 20 %',
        unsubscribe_text: 'STOP',
        groups: [fresh.group],
        number_id: fresh.number,
      },
    })
  ).body;
  expect(data).toMatchObject({
    recipients: 3,
    skipped: { unsubscribed: 1, invalid: 1, blocked: 1 },
    segments_total: 3,
    credits: 3,
    encoding: 'UCS-2',
    forcing_characters: ['—'],
    problems: {},
  });
  expect(data.first_three_rendered[0]!.text).toMatch(/^Grüße Person\d+ — 20 %\nSTOP$/);
});

test('the preview shows until when quiet hours delay it, in the recipients’ time zones', async () => {
  const at = (hour: number) =>
    DateTime.fromJSDate(app.clock.value, { zone: 'America/New_York' })
      .plus({ days: 2 })
      .set({ hour, minute: 0, second: 0, millisecond: 0 });
  const heldUntil = async (areaCodes: string[], hour: number, own: object = {}) => {
    const s = await createSender(app, 4, { quiet: true, areaCodes });
    return (
      await app.as(s.owner).request(contract.previewUnsaved, {
        body: {
          company_id: s.company.id,
          title: 'x',
          text: 'Hello',
          unsubscribe_text: 'STOP',
          groups: [s.group],
          number_id: s.number,
          should_be_sent_at: at(hour).toUTC().toISO(),
          ...own,
        },
      })
    ).body.data.held_until;
  };
  const morning = at(8).plus({ days: 1 }).toUTC().toISO();
  expect(await heldUntil(['212'], 22)).toBe(morning);
  expect(await heldUntil(['212'], 12)).toBeNull();
  // It is 19:00 in the west, so those recipients get it at once.
  expect(await heldUntil(['212', '415'], 22)).toBeNull();
  expect(await heldUntil(['415'], 9)).toBe(at(11).toUTC().toISO());
  // The campaign's own hours take precedence.
  expect(
    await heldUntil(['212'], 22, {
      quiet_hours: { start: '12:00', end: '13:00', mode: 'company' },
    }),
  ).toBeNull();
  expect(
    await heldUntil(['212'], 12, {
      quiet_hours: { start: '16:00', end: '20:00', mode: 'company' },
      timezone: 'UTC',
    }),
  ).toBe(at(12).toUTC().set({ hour: 20 }).toISO());
  expect(await heldUntil(['212'], 22, { timezone: 'Nowhere/At_all' })).toBe(morning);
});

test('fifty requests with one Idempotency-Key create one campaign', async () => {
  const before = (
    await ask().request(contract.listCampaigns, {
      query: { company_id: sender.company.id },
    })
  ).body.meta.total;
  const answers = await Promise.all(
    Array.from({ length: 50 }, () =>
      ask().request(contract.createCampaign, {
        body: { company_id: sender.company.id, title: 'Once' },
        headers: { 'idempotency-key': 'fifty' },
      }),
    ),
  );
  expect(new Set(answers.map((a) => a.status))).toEqual(
    new Set(answers.some((a) => a.status === 409) ? [201, 409] : [201]),
  );
  expect(new Set(answers.filter((a) => a.status === 201).map((a) => a.body.data.id)).size).toBe(1);
  expect(
    (
      await ask().request(contract.listCampaigns, {
        query: { company_id: sender.company.id },
      })
    ).body.meta.total,
  ).toBe(before + 1);
});
