import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  monitoring as contract,
  notifications,
  oauthIntegrations,
  organizations,
  slack,
  type BodyIn,
} from '#contract';
import type { AlertKind } from '#contract/monitoring/rules';
import { connectAccount } from '../../../test/support/connect-account.ts';
import { inboxHelpers } from '../../../test/support/inbox.ts';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { checkCompany } from './check-company.ts';
import { mailDigests } from './digest.ts';
import { newsPlaces } from '../integrations/index.ts';
import { mailAlerts } from './mail-alerts.ts';
import { postAlerts } from './post-alerts.ts';

const app = await createTestApp({ demo: true });
const inbox = inboxHelpers(app);
const { db } = app.services;
const inCompany = (companyId: number) => systemCtx(app.services, companyId, app.notifier);
const check = async (companyId: number, ...kinds: AlertKind[]) => {
  await inCompany(companyId).transaction((t) => checkCompany(t, kinds));
  await app.drainJobs();
};
let party = 1000;
/** Five answered calls that ended within seconds: an alert about the number. */
const shortCalls = (companyId: number, numberId: number) =>
  sql`insert into call (company_id, number_id, outbound, carrier, from_number, to_number, party,
      status, outcome, started_at, ended_at, talk_seconds, duration_seconds, created_at, updated_at)
    select ${companyId}, ${numberId}, false, 'sandbox', '+1212555' || n, '+14155550100',
      '+1212555' || n, 1, 1, ${app.clock.value}, ${app.clock.value}, 3, 3, ${app.clock.value},
      ${app.clock.value}
    from generate_series(${(party += 10)}::int, ${party + 4}::int) n`.execute(db.unscoped);
const save = (who: TestPerson, body: Record<string, unknown>) =>
  app.as(who).request(notifications.saveNotificationSettings, { body });
const device = (who: TestPerson) =>
  app.as(who).request(notifications.subscribeWebPush, {
    body: {
      endpoint: `https://fcm.googleapis.com/fcm/send/${randomUUID()}`,
      keys: {
        p256dh:
          'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
        auth: 'tBHItJI5svbpez7KI4CCXg',
      },
    },
  });
const pushes = async (who: TestPerson) =>
  (
    await sql<{ title: string; body: string; url: string }>`select title, body, url
      from sandbox.push where person_id = ${who.id} order by id`.execute(db.unscoped)
  ).rows;
const subjects = async (who: TestPerson) =>
  (await app.mails(who.email)).map(({ subject }) => subject);
const open = async (who: TestPerson) =>
  (
    await app.as(who).request(contract.listAlerts, {
      query: { company_id: who.companyId, state: 'open' },
    })
  ).body.data;

test('all alerts of a check are told at once, and one subject once a day', async () => {
  const { company, owner } = await app.createCompany();
  await device(owner);
  for (const number of [await inbox.number(company.id), await inbox.number(company.id)])
    await shortCalls(company.id, number.id);
  await check(company.id, 'short_calls');
  expect(await subjects(owner)).toEqual([expect.stringContaining(': 2 new alerts')]);
  expect(await pushes(owner)).toMatchObject([{ url: '/monitoring' }]);
  for (const { id } of await open(owner))
    await app
      .as(owner)
      .request(contract.updateAlert, { params: { id }, body: { state: 'resolved' } });
  await check(company.id, 'short_calls');
  expect(await open(owner)).toHaveLength(2);
  expect(await subjects(owner)).toHaveLength(1);
  expect(await pushes(owner)).toHaveLength(1);
});

test('each person chooses how, and only those who can act on alerts are told', async () => {
  const [{ company, owner }, other] = [await app.createCompany(), await app.createCompany()];
  const admin = await app.createPerson(company.id, 'administrator');
  const mutes = await app.createPerson(company.id, 'administrator');
  const user = await app.createPerson(company.id, 'user');
  const all = [owner, admin, mutes, user, other.owner];
  for (const person of all) await device(person);
  await save(owner, { kinds: { alert: 'push' } });
  await save(admin, { kinds: { alert: 'email' } });
  const number = await inbox.number(company.id);
  await app.as(mutes).request(notifications.addNotificationBlocks, {
    body: { number_id: number.id, channel_types: ['push', 'email'], events: ['alert'] },
  });
  await shortCalls(company.id, number.id);
  await check(company.id, 'short_calls');
  expect(await Promise.all(all.map(async (one) => (await subjects(one)).length))).toEqual([
    0, 1, 0, 0, 0,
  ]);
  expect(await Promise.all(all.map(async (one) => (await pushes(one)).length))).toEqual([
    1, 0, 0, 0, 0,
  ]);
  const [alert] = await open(owner);
  expect(await pushes(owner)).toEqual([
    {
      title: alert?.title,
      body: alert?.message,
      url: `/monitoring?open=${company.id}-${alert?.id}`,
    },
  ]);
  const [mail] = await app.mails(admin.email);
  expect(mail?.text).toContain('/settings/notifications');
  const token = /unsubscribe\/(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
  await app.as(null).request(notifications.unsubscribeMail, { body: { token } });
  await shortCalls(company.id, (await inbox.number(company.id)).id);
  await check(company.id, 'short_calls');
  expect(await subjects(admin)).toHaveLength(1);
});

test('in quiet hours nothing is pushed, and the email waits; what someone looks at by then isn’t sent', async () => {
  const { company, owner } = await app.createCompany();
  const admin = await app.createPerson(company.id, 'administrator');
  await device(owner);
  const hour = (n: number) =>
    `${String((app.clock.value.getUTCHours() + 24 + n) % 24).padStart(2, '0')}:00`;
  const quiet = { on: true, from: hour(-1), to: hour(2), timezone: 'UTC' };
  for (const person of [owner, admin]) await save(person, { quiet });
  const [one, two] = [await inbox.number(company.id), await inbox.number(company.id)];
  await shortCalls(company.id, one.id);
  await shortCalls(company.id, two.id);
  await check(company.id, 'short_calls');
  expect([await pushes(owner), await subjects(owner)]).toEqual([[], []]);
  const alertIds = (await open(owner)).map(({ id }) => id);
  expect(alertIds).toHaveLength(2);
  const [seen] = await open(owner);
  await app.as(owner).request(contract.updateAlert, {
    params: { id: seen?.id ?? 0 },
    body: { state: 'acknowledged' },
  });
  await sql`update membership set role = 'user' where user_id = ${admin.id}`.execute(db.unscoped);
  app.clock.advance(3 * 3600);
  for (const { id: userId } of [owner, admin])
    await mailAlerts(inCompany(company.id), { userId, alertIds });
  await app.drainJobs();
  const [mail, ...more] = await app.mails(owner.email);
  expect(more).toEqual([]);
  expect(mail?.text).not.toContain(`/numbers/${seen?.subject.id}/`);
  expect(mail?.text).toContain(`/numbers/${(await open(owner))[0]?.subject.id}/`);
  expect(await subjects(admin)).toEqual([]);
});

test('an organization’s administrators get one email each morning, about companies they aren’t in', async () => {
  const [one, other] = [await app.createCompany(), await app.createCompany()];
  const made = await app.as(one.owner).request(organizations.createOrganization, {
    body: { name: `Group ${one.company.id}`, timezone: 'America/Chicago' },
  });
  const { id, name } = made.body.data;
  await db.unscoped
    .updateTable('company')
    .set({ organization_id: id })
    .where('id', 'in', [one.company.id, other.company.id])
    .execute();
  const { owner: outsider, company: elsewhere } = await app.createCompany();
  const quiet = await app.createPerson(elsewhere.id, 'user');
  for (const person of [outsider, quiet])
    await db.unscoped
      .insertInto('organization_admin')
      .values({ organization_id: id, user_id: person.id })
      .execute();
  const path = { params: { id } };
  const off = await app
    .as(quiet)
    .request(contract.updateAlertDigest, { ...path, body: { on: false } });
  expect(off.body.data).toEqual({ on: false });
  expect((await app.as(outsider).request(contract.getAlertDigest, path)).body.data.on).toBe(true);
  expect((await app.as(other.owner).request(contract.getAlertDigest, path)).status).toBe(403);

  const at = (iso: string) =>
    app.clock.advance((Date.parse(iso) - app.clock.value.getTime()) / 1000);
  const day = new Date(app.clock.value.getTime() + 2 * 86_400_000).toISOString().slice(0, 10);
  const digests = async (who: TestPerson) => {
    await mailDigests(inCompany(0));
    await app.drainJobs();
    return (await app.mails(who.email)).filter(({ subject }) => subject.startsWith(name));
  };
  at(`${day}T13:00:00Z`);
  for (const { company } of [one, other]) {
    await shortCalls(company.id, (await inbox.number(company.id)).id);
    await check(company.id, 'short_calls');
  }
  // Seven in the morning in Chicago, in winter.
  expect(await digests(outsider)).toEqual([]);
  at(`${day}T14:10:00Z`);
  const [mail, ...more] = await digests(outsider);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe(`${name}: 2 new alerts`);
  for (const { company } of [one, other]) expect(mail?.text).toContain(company.name);
  // The owner of one company is told of its alerts as they come.
  const [own] = await digests(one.owner);
  expect(own?.subject).toBe(`${name}: 1 new alert`);
  expect(own?.text).not.toContain(one.company.name);
  expect(await digests(quiet)).toEqual([]);
  // Once a day, and not on a day without news.
  at(`${day}T20:00:00Z`);
  expect(await digests(outsider)).toHaveLength(1);
  app.clock.advance(86_400);
  expect(await digests(outsider)).toHaveLength(1);
});

const posted = async (channel: string) =>
  (
    await sql<{ text: string }>`select text from sandbox.slack_message
      where channel = ${channel} order by id`.execute(db.unscoped)
  ).rows.map(({ text }) => text);
/** A workspace whose channels are these, switched on and without their test messages. */
async function workspace(owner: TestPerson, config: BodyIn<typeof slack.configureSlack>['config']) {
  const params = {
    companyId: owner.companyId,
    id: await connectAccount(app, owner, 'slackbot'),
  };
  const set = await app
    .as(owner)
    .request(slack.configureSlack, { params, body: { config, test_channels: [] } });
  expect(set.status).toBe(200);
  await app.as(owner).request(oauthIntegrations.activateOAuthIntegration, { params, body: {} });
  await app.drainJobs();
  await sql`delete from sandbox.slack_message`.execute(db.unscoped);
  return params;
}

test('Slack channels that asked for alerts get new ones, all of a check in one message', async () => {
  const { company, owner } = await app.createCompany();
  const params = await workspace(owner, {
    mention: 'here',
    channels: [
      { id: 'C0FRONT', name: 'front-desk', alerts: true },
      { id: 'C0SALES', name: 'sales', rules: [{ event: 'call.missed' }] },
    ],
  });
  const other = await app.createCompany();
  await shortCalls(other.company.id, (await inbox.number(other.company.id)).id);
  await check(other.company.id, 'short_calls');
  expect(await posted('C0FRONT'), 'of another company').toEqual([]);

  for (const number of [await inbox.number(company.id), await inbox.number(company.id)])
    await shortCalls(company.id, number.id);
  await check(company.id, 'short_calls');
  const [text, ...more] = await posted('C0FRONT');
  expect(more).toEqual([]);
  expect(text?.split('\n')).toEqual([
    expect.stringMatching(/^<!here> \*.+: 2 new alerts\*$/),
    expect.stringContaining('> Answered calls end within seconds (Main line): 5 calls'),
    expect.stringContaining('> Answered calls end within seconds (Main line): 5 calls'),
    expect.stringMatching(/^<http.+\/monitoring\|Open alerts>$/),
  ]);
  expect(await posted('C0SALES')).toEqual([]);
  const { body } = await app.as(owner).request(oauthIntegrations.getOAuthIntegration, { params });
  expect(body.data.destinations.find(({ key }) => key === 'C0FRONT')).toMatchObject({
    last_error: null,
    last_sent_at: expect.any(String) as string,
  });
  // The same trouble within a day is a new alert that no one is told of.
  for (const { id } of await open(owner))
    await app
      .as(owner)
      .request(contract.updateAlert, { params: { id }, body: { state: 'resolved' } });
  await check(company.id, 'short_calls');
  expect(await posted('C0FRONT')).toHaveLength(1);
});

test('in a channel’s quiet hours alerts wait, and what someone looks at by then isn’t posted', async () => {
  const { company, owner } = await app.createCompany();
  const { timezone } = await db.unscoped
    .selectFrom('company')
    .select('timezone')
    .where('id', '=', company.id)
    .executeTakeFirstOrThrow();
  const local = (minutes: number): string =>
    new Date(app.clock.value.getTime() + minutes * 60_000).toLocaleTimeString('en-GB', {
      ...{ timeZone: timezone, hour: '2-digit', minute: '2-digit' },
    });
  await workspace(owner, {
    quiet_hours: { from: local(-60), to: local(60) },
    channels: [{ id: 'C0FRONT', name: 'front-desk', alerts: true }],
  });
  const [seen, unseen] = [await inbox.number(company.id), await inbox.number(company.id)];
  for (const number of [seen, unseen]) await shortCalls(company.id, number.id);
  await check(company.id, 'short_calls');
  expect(await posted('C0FRONT')).toEqual([]);
  const looked = (await open(owner)).find(({ subject }) => subject.id === seen.id);
  await app.as(owner).request(contract.updateAlert, {
    params: { id: looked?.id ?? 0 },
    body: { state: 'acknowledged' },
  });
  const rest = (await open(owner)).map(({ id }) => id);
  const [place] = await inCompany(company.id).transaction((t) => newsPlaces(t));
  expect(place?.notBefore?.getTime()).toBeGreaterThan(app.clock.value.getTime());
  // What the queue does when they end.
  await postAlerts(inCompany(company.id), {
    destinationId: place?.destinationId ?? 0,
    alertIds: [looked?.id ?? 0, ...rest],
  });
  expect(await posted('C0FRONT')).toEqual([
    expect.stringContaining(': Answered calls end within seconds*'),
  ]);
});

test('a channel that was archived is said on its card', async () => {
  const { company, owner } = await app.createCompany();
  const params = await workspace(owner, {
    channels: [{ id: 'C0OLD', name: 'old', alerts: true }],
  });
  const number = await inbox.number(company.id);
  await shortCalls(company.id, number.id);
  await check(company.id, 'short_calls');
  const read = async () =>
    (await app.as(owner).request(oauthIntegrations.getOAuthIntegration, { params })).body.data
      .destinations[0];
  expect((await read())?.last_error?.text).toBe('The channel is archived. Choose another one.');
});
