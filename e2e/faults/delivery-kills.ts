import { setTimeout as pause } from 'node:timers/promises';
import { hashToken, randomToken } from '../../server/src/platform/secrets.ts';
import {
  createRandom,
  killProcess,
  processesOf,
  RetryingDatabase,
  withProduct,
} from '../product.ts';
import { printMetric, type Metric, type FaultOptions } from '../metric.ts';

/**
 * The worker is killed and connections are cut while calls are logged in the simulated HubSpot: each is
 * delivered, under one key, and stands there once, and everyone who called is one contact. A delivery of a
 * worker that ended is taken up when its claim is over, so this takes some minutes.
 */
export async function run({ size, seed }: FaultOptions): Promise<Metric[]> {
  const calls = size === 'full' ? 5000 : 1000;
  const people = calls / 5;
  const random = createRandom(seed);
  return withProduct({ LOG_LEVEL: 'fatal' }, async ({ url, databaseUrl }, dataDir) => {
    const db = new RetryingDatabase(databaseUrl);
    const company = await connectHubspot(db, url);
    await db.rows(
      `with n as (insert into number (company_id, number) values ($1, '+12065550188') returning id),
      c as (insert into call (company_id, number_id, outbound, carrier, from_number, to_number, party,
            started_at, ended_at, status, outcome, duration_seconds, qualified)
          select $1, n.id, false, 'sandbox', p.party, '+12065550188', p.party,
            now() - interval '1 hour', now() - interval '50 minutes', 4, 2, 30, true
          from n, generate_series(1, $2::int) i,
            lateral (select '+1202555' || lpad((i % $3::int)::text, 4, '0') party) p
          returning id, number_id)
        insert into outbox (company_id, event, data)
        select $1, 'call.updated', json_build_object('callId', id, 'numberId', number_id,
          'changed', json_build_array('qualified')) from c`,
      [company, calls, people],
    );
    const sent = async () =>
      (
        await db.queryOne<{ n: number }>(
          `select count(*)::int n from delivery where company_id = $1 and state = 'sent'`,
          [company],
        )
      ).n;
    const until = Date.now() + (calls / 100 + 12) * 60_000;
    let kills = 0;
    for (let done = await sent(); done < calls && Date.now() < until; done = await sent()) {
      await pause(1500 + random() * 2500);
      if (done === 0 || done > calls * 0.9) continue;
      kills += 1;
      if (random() < 0.3) await db.dropConnections(null);
      else
        processesOf(dataDir)
          .filter(({ role }) => role === 'worker')
          .forEach(({ pid }) => killProcess(pid));
      await pause(4000);
    }
    const found = await db.queryOne<Record<'deliveries' | 'keys' | 'sent' | 'logged', number>>(
      `select count(*)::int deliveries, count(distinct dedupe_key)::int keys,
        count(*) filter (where state = 'sent')::int sent,
        (select count(*)::int from sandbox.hubspot_object where type = 'calls') logged
      from delivery where company_id = $1`,
      [company],
    );
    const there = await db.queryOne<Record<'different' | 'contacts' | 'phones', number>>(
      `select (select count(distinct properties ->> 'hs_call_external_id')::int
          from sandbox.hubspot_object where type = 'calls') different,
        count(*)::int contacts, count(distinct properties ->> 'phone')::int phones
      from sandbox.hubspot_object where type = 'contacts'`,
    );
    await db.close();
    return [
      printMetric(
        'delivery-kills.calls',
        `${JSON.stringify({ ...found, different: there.different })} after ${kills} kills, seed ${seed}`,
        `${calls} of each`,
        kills > 0 && [...Object.values(found), there.different].every((n) => n === calls),
      ),
      printMetric(
        'delivery-kills.people',
        `${there.contacts} contacts of ${there.phones} numbers`,
        `${people} of each`,
        there.contacts === people && there.phones === people,
      ),
    ];
  });
}

/** A company whose qualified calls are logged in a simulated account; returns its ID. */
async function connectHubspot(db: RetryingDatabase, url: string): Promise<number> {
  const token = randomToken('tla');
  const { id } = await db.queryOne<{ id: number }>(
    `with p as (insert into person (email, password_hash) values ('owner@faults.test', 'x')
        returning id), c as (insert into company (name, slug, timezone)
        values ('Faults', 'faults', 'UTC') returning id),
    m as (insert into membership (company_id, user_id, role) select c.id, p.id, 'owner' from c, p),
    s as (insert into session (person_id, kind, access_hash, access_expires_at)
        select p.id, 'browser', $1, now() + interval '1 day' from p)
      select c.id::float8 id from c`,
    [hashToken(token)],
  );
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const path = `/api/companies/${id}/oauth-integrations`;
  const api = async <T>(method: string, at: string, body?: object): Promise<T> => {
    const answer = await fetch(`${url}${path}${at}`, {
      ...{ method, headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${at} answered ${answer.status}: ${await answer.text()}`);
    return ((await answer.json()) as { data: T }).data;
  };
  const consent = await api<{ url: string }>('GET', '/hubspot/redirect');
  const answered = await fetch(`${consent.url}&account=main`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  await fetch(answered.headers.get('location') ?? '', { redirect: 'manual', headers });
  const [account] = await api<{ id: number }[]>('GET', '');
  await api('POST', `/${account?.id}/activate`, { config: { rules: [{ event: 'qualified' }] } });
  const until = Date.now() + 60_000;
  while ((await api<{ status: string }>('GET', `/${account?.id}`)).status !== 'active') {
    if (Date.now() > until) throw new Error('the account isn’t turned on');
    await pause(250);
  }
  return id;
}
