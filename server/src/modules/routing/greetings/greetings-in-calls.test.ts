import { expect, test } from 'vitest';
import { greetings, routing, schedules } from '#contract';
import { systemCtx } from '../../../platform/context.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { flowFor } from '../index.ts';
import { insertTestNumber } from '../../../../test/support/test-number.ts';

const app = await createTestApp();
let given = 2600;
const aLine = async () => {
  const { company, owner } = await app.createCompany('Acme');
  const id = await insertTestNumber(app, company.id, `+1415555${(given += 1)}`);
  return {
    company,
    owner,
    id,
    flow: () =>
      systemCtx(app.services, company.id, app.notifier).transaction((ctx) => flowFor(ctx, id)),
  };
};
const spoken = async (
  who: TestPerson,
  type: greetings.GreetingType,
  more: Record<string, unknown> = {},
) =>
  (
    await app.as(who).request(greetings.addGreeting, {
      body: {
        name: `My ${type}`,
        type,
        content: `These are the words of ${type}.`,
        ...more,
      },
    })
  ).body.data;
const put = (who: TestPerson, id: number, body: Record<string, unknown>) =>
  app.as(who).request(routing.updateNumber, { params: { id }, body: body });
const names = (
  prompts: readonly { kind: string; name?: string | undefined }[] | null | undefined,
) => prompts?.map((one) => one.name ?? one.kind);

test(
  'greetings of a number, its menu and its routes are compiled into the call',
  { timeout: 120_000 },
  async () => {
    const { company, owner, id, flow } = await aLine();
    const [welcome, menu, voicemail, away, notice, hold] = [
      await spoken(owner, 'welcome'),
      await spoken(owner, 'menu'),
      await spoken(owner, 'voicemail'),
      await spoken(owner, 'after_hours'),
      await spoken(owner, 'recording_notice'),
      await spoken(owner, 'hold'),
    ];
    const saved = await put(owner, id, {
      greeting_id: welcome.id,
      voicemail: { greeting_id: voicemail.id },
      record: true,
      recording_announcement: 'custom',
      recording_announcement_greeting_id: notice.id,
      menu: { greeting_id: menu.id },
      routes: [
        {
          extension: 1,
          voicemail_greeting_id: voicemail.id,
          onhold_music_id: hold.id,
          business_hours: { preset: 2 },
          after_hours: { action: 'greeting', target: away.id },
        },
        { extension: 2, onhold_music_id: 2 },
      ],
    });
    expect([saved.status, (saved.body as unknown as { errors?: unknown }).errors]).toEqual([
      200,
      undefined,
    ]);
    expect(saved.body.data).toMatchObject({
      greeting_id: welcome.id,
      recording_announcement_greeting_id: notice.id,
      menu: { greeting_id: menu.id },
      routes: [{ voicemail_greeting_id: voicemail.id, after_hours: { target: away.id } }, {}],
    });
    const made = await flow();
    const file = (
      await app.services.db.systemTransaction((tx) =>
        tx
          .selectFrom('greeting')
          .select('file_id')
          .where('id', '=', welcome.id)
          .executeTakeFirstOrThrow(),
      )
    ).file_id;
    expect(made.welcome).toEqual([
      {
        kind: 'play',
        fileId: `${company.id}:${file}`,
        name: 'My welcome',
        text: 'These are the words of welcome.',
        seconds: Math.ceil(welcome.duration_ms / 1000),
      },
    ]);
    expect([
      names(made.menu?.greeting),
      names(made.voicemail.greeting),
      names(made.recording.announcement),
      names(made.routes[0]?.voicemail.greeting),
    ]).toEqual([['My menu'], ['My voicemail'], ['My recording_notice'], ['My voicemail']]);
    expect(made.routes[0]?.afterHours).toMatchObject({
      action: 'greeting',
      prompts: [{ name: 'My after_hours' }],
    });
    expect(Object.keys(made.musicFiles ?? {})).toEqual([String(hold.id)]);

    // A greeting in use cannot be deleted; the error names the places.
    const refused = await app
      .as(owner)
      .request(greetings.deleteGreeting, { params: { id: voicemail.id } });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'greeting.in_use',
        errors: [{ used_by: [{ kind: 'number' }, { kind: 'route' }] }],
      },
    });
    expect((refused.body as unknown as { message: string }).message).toMatch(
      /^This greeting is used by \(415\) 555-26\d\d \(voicemail\) and \(415\) 555-26\d\d \(voicemail of a route\)\. Choose another greeting there first\.$/,
    );
    const counts = Object.fromEntries(
      (await app.as(owner).request(greetings.listGreetings)).body.data.map((one) => [
        one.type,
        one.used_by_count,
      ]),
    );
    expect(counts).toEqual({
      welcome: 1,
      menu: 1,
      voicemail: 2,
      after_hours: 1,
      recording_notice: 1,
      hold: 1,
    });
    await put(owner, id, { voicemail: { greeting_id: null }, routes: [] });
    expect(
      (await app.as(owner).request(greetings.deleteGreeting, { params: { id: voicemail.id } }))
        .status,
    ).toBe(204);
  },
);

test('a default is used where nothing is set, and not where text is', async () => {
  const { owner, id, flow } = await aLine();
  await spoken(owner, 'voicemail', { name: 'Usual', is_default: true });
  await spoken(owner, 'recording_notice', { name: 'Notice', is_default: true });
  await put(owner, id, { record: true });
  const usual = await flow();
  expect([
    names(usual.voicemail.greeting),
    names(usual.recording.announcement),
    names(usual.welcome),
  ]).toEqual([['Usual'], ['Notice'], undefined]);
  await put(owner, id, {
    voicemail: { greeting: 'Leave a word.' },
    recording_announcement: 'none',
  });
  const own = await flow();
  expect([own.voicemail.greeting, own.recording.announcement]).toEqual([
    [{ kind: 'say', text: 'Leave a word.' }],
    null,
  ]);
});

test('unknown greetings, other companies’ and wrong types are rejected by field', async () => {
  const { owner, id } = await aLine();
  const other = await aLine();
  const theirs = await spoken(other.owner, 'voicemail');
  const mine = await spoken(owner, 'voicemail');
  const refused = await put(owner, id, {
    greeting_id: theirs.id,
    voicemail: { greeting_id: 99_999 },
    schedule_id: 12,
  });
  expect(refused.body).toMatchObject({
    errors: {
      greeting_id: ['This greeting doesn’t exist.'],
      'voicemail.greeting_id': ['This greeting doesn’t exist.'],
      schedule_id: ['This schedule doesn’t exist.'],
    },
  });
  expect(
    (
      await put(owner, id, {
        routes: [{ onhold_music_id: mine.id, voicemail_greeting_id: theirs.id }],
      })
    ).body,
  ).toMatchObject({
    errors: {
      'routes.0.onhold_music_id': ['Choose a greeting of the type hold music.'],
      'routes.0.voicemail_greeting_id': ['This greeting doesn’t exist.'],
    },
  });
  expect((await put(owner, id, { routes: [{ onhold_music_id: 7 }] })).body).toMatchObject({
    errors: { 'routes.0.onhold_music_id': ['Choose music from the list.'] },
  });
});

test('the company’s holidays and Direct Voicemail apply to routes with business hours', async () => {
  const { company, owner, id } = await aLine();
  await put(owner, id, {
    routes: [
      {
        type: 'standard',
        forwards: [{ number: '+12125550147' }],
        business_hours: { preset: 6 },
        voicemail_enabled: true,
      },
    ],
  });
  const at = async (when: string) =>
    (
      await app.as(owner).request(routing.simulateNumber, {
        params: { id },
        body: { from: '+12125550147', at: when },
      })
    ).body.data;
  expect((await at('2026-12-25T15:00:00Z')).outcome).toBe('connected');
  await app.as(owner).request(schedules.saveSchedule, {
    params: { companyId: company.id },
    body: { exceptions: [{ date: '2026-12-25', label: 'Christmas Day' }] },
  });
  const holiday = await at('2026-12-25T15:00:00Z');
  expect(holiday.outcome).toBe('voicemail');
  expect(holiday.steps.map((step) => step.because)).toContain(
    'Closed at Fri 10:00 AM Eastern Time: Christmas Day.',
  );
  expect((await at('2026-12-24T15:00:00Z')).outcome).toBe('connected');
  await app.as(owner).request(schedules.saveSchedule, {
    params: { companyId: company.id },
    body: { voicemail: true },
  });
  expect((await at('2026-12-24T15:00:00Z')).outcome).toBe('voicemail');
});

test('a number’s schedule applies to its routes without own hours', async () => {
  const { company, owner, id } = await aLine();
  const schedule = (
    await app.as(owner).request(schedules.saveSchedule, {
      params: { companyId: company.id },
      body: { preset: 3 },
    })
  ).body.data;
  await put(owner, id, {
    schedule_id: schedule.id,
    routes: [
      { extension: 1, forwards: [{ number: '+12125550147' }] },
      { extension: 2, business_hours: { preset: 1 }, forwards: [{ number: '+12125550148' }] },
    ],
  });
  const at = async (key: string) =>
    (
      await app.as(owner).request(routing.simulateNumber, {
        params: { id },
        body: { from: '+12125550147', at: '2026-11-18T17:00:00Z', pressed: [key] },
      })
    ).body.data.outcome;
  expect([await at('1'), await at('2')]).toEqual(['missed', 'connected']);
  expect(
    (await app.as(owner).request(schedules.getSchedule, { params: { companyId: company.id } })).body
      .data.used_by_count,
  ).toBe(1);
});
