import { expect, test } from 'vitest';
import { schedules } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const save = (who: TestPerson, body: object) =>
  app.as(who).request(schedules.saveSchedule, { params: { companyId: who.companyId }, body: body });
const read = async (who: TestPerson, userId?: number) =>
  (
    await app.as(who).request(schedules.getSchedule, {
      params: { companyId: who.companyId },
      query: { user_id: userId ?? null },
    })
  ).body.data;

test('the default schedule of a company is Monday to Friday, 9 to 5', async () => {
  const { owner } = await app.createCompany();
  expect(await read(owner)).toMatchObject({
    id: null,
    label: 'Mon-Fri (9-5)',
    preset: 2,
    timezone: 'America/New_York',
    mon_open_hour: '09:00',
    sun_open_hour: null,
    custom_blocks: null,
    voicemail: false,
  });
});

test('custom blocks survive another preset and are restored', async () => {
  const { owner } = await app.createCompany();
  const own = [{ days: ['tue'], times: [{ start: '10:15', end: '14:00' }] }];
  await save(owner, { blocks: own });
  expect(await read(owner)).toMatchObject({ preset: 4, label: 'Custom', blocks: own });
  expect((await save(owner, { preset: 1 })).body.data).toMatchObject({
    label: '24/7',
    custom_blocks: own,
  });
  expect((await save(owner, { preset: 5 })).body.data).toMatchObject({
    label: 'Direct Voicemail',
    voicemail: true,
  });
  expect((await save(owner, { preset: 4 })).body.data).toMatchObject({
    label: 'Custom',
    voicemail: false,
    blocks: own,
  });
});

test('Business Hours follow the company’s open and close hours', async () => {
  const { company, owner } = await app.createCompany();
  const user = await app.createPerson(company.id, 'user');
  expect((await save(owner, { user_id: user.id, preset: 6 })).status).toBe(200);
  await save(owner, {
    preset: 6,
    mon_open_hour: '07:30',
    mon_close_hour: '11:00',
    sat_open_hour: '00:00–24:00',
  });
  const own = await read(user, user.id);
  expect(own.blocks).toContainEqual({ days: ['mon'], times: [{ start: '07:30', end: '11:00' }] });
  expect(own.blocks).toContainEqual({ days: ['sat'], times: [{ start: '00:00', end: '24:00' }] });
  // Sending back the whole response changes nothing, although it shows the company's hours.
  expect((await save(owner, { ...own })).body.data).toMatchObject({
    preset: 6,
    custom_blocks: null,
  });
});

test('overlaps and incomplete hours are rejected, and nothing is stored', async () => {
  const { owner } = await app.createCompany();
  const refused = await save(owner, {
    blocks: [
      { days: ['mon', 'fri'], times: [{ start: '09:00', end: '13:00' }] },
      { days: ['fri'], times: [{ start: '12:00', end: '17:00' }] },
    ],
  });
  expect(refused.status).toBe(422);
  expect(refused.body).toMatchObject({
    code: 'schedule.overlap',
    message: 'Two time ranges overlap on Friday.',
  });
  expect((await save(owner, { mon_close_hour: null })).body).toMatchObject({
    errors: { mon_close_hour: ['Enter both hours for Monday, or choose closed.'] },
  });
  expect(
    (await save(owner, { exceptions: [{ from: '2026-12-27', to: '2026-12-24' }] })).status,
  ).toBe(422);
  expect((await read(owner)).id).toBeNull();
});

test('users may read but not change hours; other companies find nothing', async () => {
  const { company, owner } = await app.createCompany();
  const user = await app.createPerson(company.id, 'user');
  const { owner: outsider } = await app.createCompany();
  expect((await save(user, { preset: 1 })).status).toBe(403);
  expect((await read(user)).preset).toBe(2);
  expect(
    (await app.as(outsider).request(schedules.getSchedule, { params: { companyId: company.id } }))
      .status,
  ).toBe(404);
  expect((await save(owner, { user_id: outsider.id, preset: 1 })).status).toBe(404);
  const opened = await save(owner, {
    user_id: user.id,
    mon_open_hour: '08:00',
    mon_close_hour: '09:00',
  });
  expect(opened.body).toMatchObject({
    errors: {
      user_id: ['Opening hours belong to the company. Enter blocks for this person instead.'],
    },
  });
});

test('a preview evaluates unsaved hours at the schedule’s local time', async () => {
  const { owner } = await app.createCompany();
  const ask = async (body: object) =>
    (
      await app.as(owner).request(schedules.previewSchedule, {
        params: { companyId: owner.companyId },
        body: body,
      })
    ).body.data;
  const christmas = { exceptions: [{ date: '2026-12-25', label: 'Christmas Day', closed: true }] };
  expect(await ask({ on: '2026-12-25T10:00' })).toMatchObject({
    open: true,
    at: '2026-12-25T15:00:00.000Z',
  });
  expect(await ask({ on: '2026-12-25T10:00', ...christmas })).toEqual({
    at: '2026-12-25T15:00:00.000Z',
    open: false,
    rule: 'exception',
    because: 'Closed at Fri 10:00 AM Eastern Time: Christmas Day.',
  });
  expect(await ask({ on: '2026-12-25T10:00', preset: 5 })).toMatchObject({
    open: false,
    rule: 'direct voicemail',
  });
  expect((await read(owner)).exceptions).toEqual([]);
});

test('concurrent changes are serialized, each on the result of the other', async () => {
  const { owner } = await app.createCompany();
  await Promise.all([
    save(owner, { preset: 1 }),
    save(owner, { timezone: 'America/Phoenix' }),
    save(owner, { exceptions: [{ date: '2026-07-04' }] }),
  ]);
  expect(await read(owner)).toMatchObject({
    preset: 1,
    timezone: 'America/Phoenix',
    exceptions: [{ from: '2026-07-04', to: '2026-07-04', closed: true }],
  });
});
