import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { companies, conversations, endpoints, type Answer } from '#contract';
import { signatureHeader, signWebhook } from '../src/exchange/protocol.ts';
import { laneOf } from '../src/platform/http/request-lane.ts';
import { laneLimits } from '../src/platform/lanes.ts';
import { inboxHelpers, uniquePhone } from './support/inbox.ts';
import { createTestApp, type TestPerson, type TestResponse } from './support/test-app.ts';

/** One company never slows another (decision 115). */
const app = await createTestApp({ env: { STATEMENT_SECONDS: '60' } });
const { number, asked } = inboxHelpers(app);

const rename = (person: TestPerson, name: string) =>
  app
    .as(person)
    .request(companies.updateCompany, { params: { id: person.companyId }, body: { name } });

/** Holds a company's row, so that every change of it waits, while `work` runs. */
async function whileChangesWait<T>(companyId: number, work: () => Promise<T>): Promise<T> {
  return app.services.db.background.systemTransaction(async (tx) => {
    await sql`select from company where id = ${companyId} for update`.execute(tx);
    return work();
  });
}

/** A text from outside, as the carrier's signed webhook. */
async function textFromOutside(to: string): Promise<number> {
  const payload = JSON.stringify({
    texts: [{ id: randomUUID(), from: uniquePhone(), to, text: 'Hi', media: [], at: Date.now() }],
  });
  const answer = await app.as(null).inject({
    method: 'POST',
    url: '/carriers/sandbox/texts',
    payload,
    headers: {
      'content-type': 'application/json',
      [signatureHeader]: signWebhook(payload, app.services.settings.mediaSecret),
    },
  });
  return answer.status;
}

const statusesOf = (answers: readonly TestResponse<unknown>[]) =>
  [...new Set(answers.map(({ status }) => status))].toSorted();

describe('while forty changes of one company wait for each other', () => {
  test('another company changes, reads and receives texts as usual; nothing of the first is lost', async () => {
    const [a, b] = [await app.createCompany(), await app.createCompany()];
    const line = await number(b.company.id);
    const waiting: Promise<TestResponse<unknown>>[] = [];
    await whileChangesWait(a.company.id, async () => {
      for (let n = 0; n < 40; n++) waiting.push(rename(a.owner, `Harbor ${n}`));
      await pause(200);
      expect((await rename(b.owner, 'Dental')).status).toBe(200);
      expect((await asked(b.owner, {})).status).toBe(200);
      expect(await textFromOutside(line.number)).toBe(204);
      // Its own lists are another lane.
      expect((await asked(a.owner, {})).status).toBe(200);
    });
    expect(statusesOf(await Promise.all(waiting))).toEqual([200]);
  });

  test('what the first asks beyond a hundred is refused at once, with a time to try again', async () => {
    const [a, b] = [await app.createCompany(), await app.createCompany()];
    const waiting: Promise<TestResponse<unknown>>[] = [];
    await whileChangesWait(a.company.id, async () => {
      const most = laneLimits.writes.perCompany + 100;
      for (let n = 0; n < most; n++) waiting.push(rename(a.owner, `Harbor ${n}`));
      await pause(500);
      const refused = await rename(a.owner, 'One more');
      expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);
      expect(refused.body).toMatchObject({ code: 'busy' });
      expect((await rename(b.owner, 'Dental')).status).toBe(200);
    });
    expect(statusesOf(await Promise.all(waiting))).toEqual([200]);
  });
});

test('a read whose client has gone is stopped in the database, and its connection serves the next', async () => {
  const { company, owner } = await app.createCompany();
  const user = { companyId: company.id, personId: owner.id };
  const gone = new AbortController();
  const lane = app.services.db.inLane('lists', user, gone.signal);
  const mark = `waits for ${company.id}`;
  const reading = lane.readOnly({ companyId: company.id }, (tx) =>
    sql`select pg_sleep(50), ${sql.lit(mark)}`.execute(tx),
  );
  // Only the owner sees what others run.
  const owning = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
  await owning.connect();
  const statements = async () =>
    (
      await owning.query(
        `select from pg_stat_activity where state = 'active' and pid <> pg_backend_pid()
           and query like '%' || $1 || '%'`,
        [mark],
      )
    ).rowCount;
  await expect.poll(statements).toBe(1);
  gone.abort(new Error('the client has gone'));
  await expect(reading).rejects.toThrow(/due to user request/);
  await expect.poll(statements).toBe(0);
  await owning.end();
  await expect(
    app.services.db
      .inLane('lists', user)
      .readOnly({ companyId: company.id }, (tx) => sql`select 1`.execute(tx)),
  ).resolves.toMatchObject({ rows: [{ '?column?': 1 }] });
});

test('a request that needs two connections at once does not wait for itself', async () => {
  const { company, owner } = await app.createCompany();
  const user = { companyId: company.id, personId: owner.id };
  const nested = () => {
    const db = app.services.db.inLane('reports', user);
    return db.transaction({ companyId: company.id }, async () =>
      db.readOnly({ companyId: company.id }, async (tx) => {
        await sql`select 1`.execute(db.unscoped);
        return sql`select 1`.execute(tx);
      }),
    );
  };
  expect(await Promise.all(Array.from({ length: 12 }, nested))).toHaveLength(12);
});

test('home’s figures of one company don’t wait for each other, on connections that let lists go first', async () => {
  const { company, owner } = await app.createCompany();
  const lane = laneOf(endpoints.find(({ name }) => name === 'callKpi')!);
  expect(lane).toBe('figures');
  const here: string[] = [];
  let letGo = () => {};
  const both = new Promise<void>((resolve) => (letGo = resolve));
  const one = () =>
    app.services.db
      .inLane(lane, { companyId: company.id, personId: owner.id })
      .transaction({ companyId: company.id }, async (tx) => {
        const { rows } = await sql<{
          name: string;
        }>`select current_setting('application_name') as name`.execute(tx);
        here.push(...rows.map(({ name }) => name));
        if (here.length === 2) letGo();
        await both;
      });
  await Promise.all([one(), one()]);
  expect(here).toEqual([expect.stringMatching(/reports$/), expect.stringMatching(/reports$/)]);
});

test('a list that is read again and again by one company leaves slots for the others', async () => {
  const [a, b] = [await app.createCompany(), await app.createCompany()];
  const list = (
    person: TestPerson,
  ): Promise<TestResponse<Answer<typeof conversations.listConversations>>> => asked(person, {});
  const both = await Promise.all([
    ...Array.from({ length: 60 }, () => list(a.owner)),
    ...Array.from({ length: 60 }, () => list(b.owner)),
  ]);
  expect(statusesOf(both)).toEqual([200]);
});
