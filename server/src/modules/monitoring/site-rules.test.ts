import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { monitoring as contract, settings } from '#contract';
import type { AlertKind } from '#contract/monitoring/rules';
import type { PageReader } from '../../gateways/web-pages.ts';
import { systemCtx } from '../../platform/context.ts';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { inboxHelpers } from '../../../test/support/inbox.ts';
import { trackedSite } from '../../../test/support/tracking-site.ts';
import { startSiteChecks } from '../tracking/script/check-sites.ts';
import { checkCompany } from './check-company.ts';

/** The open internet: pages by address; the others don't answer. */
const web = new Map<string, string>();
const asked: string[] = [];
const pages: PageReader = {
  fetchPage: (url) => {
    asked.push(url);
    const text = web.get(url);
    return Promise.resolve(
      text === undefined
        ? { ok: false, why: 'unreachable', simulated: false }
        : { ok: true, status: 200, url, headers: {}, text, simulated: false },
    );
  },
};
const app = await createTestApp({ ports: { pages } });
const inbox = inboxHelpers(app);
const { db } = app.services;
const ago = (hours: number): Date => new Date(app.clock.value.getTime() - hours * 3_600_000);
const open = async (who: TestPerson, ...kinds: AlertKind[]) => {
  await systemCtx(app.services, who.companyId, app.notifier).transaction((t) =>
    checkCompany(t, kinds),
  );
  const { body } = await app
    .as(who)
    .request(contract.listAlerts, { query: { company_id: who.companyId, state: 'open' } });
  return body.data.map(({ kind, message }) => `${kind}: ${message}`).toSorted();
};

const scriptKinds = [
  'dni_script_missing',
  'dni_script_wrong_key',
  'dni_script_duplicate',
] as const satisfies AlertKind[];
/** Every hour, all websites are looked at; at most as much time passes as between two looks. */
const lookAtSites = async () => {
  app.clock.advance(3600);
  await startSiteChecks(systemCtx(app.services, 0, app.notifier));
  await app.drainJobs();
};

test('a website whose page lost the script, has it twice, or another company’s', async () => {
  const shop = await trackedSite(app, 1);
  const nearby = await trackedSite(app, 1);
  const [host, tagManager] = ['www.shop.example', 'gtm.shop.example'];
  for (const [{ owner }, name] of [
    [shop, host],
    [shop, tagManager],
    [nearby, 'other.example'],
  ] as const)
    await sql`insert into tracking_site (company_id, host, last_seen_at)
      values (${owner.companyId}, ${name}, ${ago(1)}) on conflict do nothing`.execute(db.unscoped);
  const tag = (key: string): string =>
    `<script async src="https://phones.example.com/t/${key}/1/dni.js"></script>`;
  const page = (...keys: string[]): string =>
    `<html><head>${keys.map(tag).join('')}</head><body>Call us</body></html>`;
  const own = shop.pool.companyKey;
  const show = (html: string) => web.set(`https://${host}/`, html);
  // A tag manager's page never has the script in its HTML: that isn't missing.
  web.set(`https://${tagManager}/`, '<html><script>GTM-ABCD123</script></html>');
  const found = () => open(shop.owner, ...scriptKinds);

  show(page(own));
  await lookAtSites();
  expect(asked.toSorted()).toEqual([
    `https://${tagManager}/`,
    'https://other.example/',
    `https://${host}/`,
  ]);
  expect(await found()).toEqual([]);
  show(page());
  await lookAtSites();
  expect(await found()).toEqual([]);
  await lookAtSites();
  expect(await found()).toEqual([`dni_script_missing: The script is gone from ${host}.`]);
  // A website that doesn't answer says nothing new; what it was found as is old after three hours.
  web.delete(`https://${host}/`);
  await lookAtSites();
  expect(await found()).toHaveLength(1);
  show(page(own, own));
  await lookAtSites();
  await found();
  expect(await found()).toEqual([`dni_script_duplicate: The script is more than once on ${host}.`]);
  show(page(nearby.pool.companyKey));
  await lookAtSites();
  await found();
  expect(await found()).toEqual([`dni_script_wrong_key: Visits to ${host} aren’t counted here.`]);
  show(page(own));
  await lookAtSites();
  await found();
  expect(await found()).toEqual([]);
  expect(await open(nearby.owner, ...scriptKinds)).toEqual([]);

  // Nothing is asked for a company that switched its script off.
  await sql`insert into tracking_script (company_id, is_enabled, changed_at)
    values (${shop.owner.companyId}, false, ${ago(0)})`.execute(db.unscoped);
  asked.length = 0;
  await lookAtSites();
  expect(asked).toEqual(['https://other.example/']);
});

test('a tool that got something every day gets nothing, although there are calls', async () => {
  const { company, owner } = await app.createCompany();
  const destination = async (name: string, days: number): Promise<void> => {
    const { id } = await db.unscoped
      .insertInto('destination')
      .values({
        ...{ company_id: company.id, provider: 'webhooks', name, status: 'active', config: '{}' },
        ...{ created_at: ago(999), updated_at: ago(999), last_sent_at: ago(30) },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    for (let day = 0; day < days; day++)
      await db.unscoped
        .insertInto('delivery')
        .values({
          ...{ company_id: company.id, destination_id: id, event: 'call.ended', state: 'sent' },
          ...{ subject_type: 'call', subject_id: day, number_id: 0, rule: '{}' },
          ...{ dedupe_key: `${id}-${day}`, next_try_at: ago(30 + day * 24) },
          ...{ happened_at: ago(30 + day * 24), created_at: ago(30 + day * 24) },
          sent_at: ago(30 + day * 24),
        })
        .execute();
  };
  await destination('Warehouse', 6);
  await destination('Rarely used', 3);
  // A day without calls: there was nothing to deliver.
  expect(await open(owner, 'integration_silent')).toEqual([]);
  await sql`insert into figure_hour (company_id, number_id, hour, calls)
    values (${company.id}, 0, date_trunc('hour', ${ago(3)}::timestamptz), 5)`.execute(db.unscoped);
  expect(await open(owner, 'integration_silent')).toEqual([
    'integration_silent: Nothing was delivered for 30 hours. It usually gets something every day.',
  ]);
  await sql`update destination set last_sent_at = ${ago(0)}
    where company_id = ${company.id}`.execute(db.unscoped);
  await open(owner, 'integration_silent');
  expect(await open(owner, 'integration_silent')).toEqual([]);
});

const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36';
const newerChrome = chrome.replace('131', '132');
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0';

test('a member signs in from a kind of device they never used', async () => {
  const { company, owner } = await app.createCompany();
  const member = await app.createPerson(company.id, 'user');
  const stranger = (await app.createCompany()).owner;
  const signIn = (person: TestPerson, agent: string, hours: number) =>
    db.unscoped
      .insertInto('session')
      .values({
        ...{ person_id: person.id, kind: 'browser', user_agent: agent },
        ...{ created_at: ago(hours), last_seen_at: ago(hours) },
      })
      .execute();
  const found = () => open(owner, 'security_new_device');
  // The first device is none that is new, a newer version of it neither; strangers are no members.
  await signIn(member, chrome, 500);
  await signIn(member, newerChrome, 2);
  await signIn(stranger, chrome, 500);
  await signIn(stranger, firefox, 2);
  expect(await found()).toEqual([]);
  await signIn(member, firefox, 1);
  expect(await found()).toEqual([
    'security_new_device: Signed in with Firefox on Linux for the first time.',
  ]);
  app.clock.advance(24 * 3600);
  await found();
  expect(await found()).toEqual([]);
});

test('from when on an alert is raised is a setting of the company', async () => {
  const { company, owner } = await app.createCompany();
  const nearby = await app.createCompany();
  const set = async (values: Record<string, number>) =>
    expect(
      (
        await app.as(owner).request(settings.updateGeneralSettings, {
          query: { company_id: company.id },
          body: values,
        })
      ).status,
    ).toBe(200);
  for (const each of [company.id, nearby.company.id]) {
    await inbox.number(each);
    await sql`insert into figure_hour (company_id, number_id, hour, calls, missed)
      values (${each}, 0, date_trunc('hour', ${ago(0)}::timestamptz), 20, 6)`.execute(db.unscoped);
  }
  const missed = 'missed_rate_high: 6 of 20 calls today were missed.';
  expect(await open(owner, 'missed_rate_high')).toEqual([]);
  await set({ alert_missed_percent: 25 });
  expect(await open(owner, 'missed_rate_high')).toEqual([missed]);
  expect(await open(nearby.owner, 'missed_rate_high')).toEqual([]);
  await set({ alert_missed_percent: 60 });
  await open(owner, 'missed_rate_high');
  expect(await open(owner, 'missed_rate_high')).toEqual([]);
});
