import { generateKeyPairSync, sign } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createTestApp } from '../../test/support/test-app.ts';
import { signatureHeader, signWebhook, voiceWebhookPath } from '../exchange/protocol.ts';
import { inboxHelpers } from '../../test/support/inbox.ts';

const app = await createTestApp();
const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
await owner.connect();
const { company } = await app.createCompany();
const number = await inboxHelpers(app).number(company.id);

const post = (url: string, body: object) => {
  const payload = JSON.stringify(body);
  return app.as(null).inject({
    method: 'POST',
    url,
    payload,
    headers: {
      'content-type': 'application/json',
      [signatureHeader]: signWebhook(payload, app.services.settings.mediaSecret),
    },
  });
};
const kept = async () =>
  (await owner.query<{ n: number }>('select count(*)::int n from webhook_retry')).rows[0]!.n;
const read = async <R>(ask: ReturnType<typeof sql<R>>) =>
  (await app.services.db.systemTransaction((tx) => ask.execute(tx))).rows;
/** Until `mend`, the database rejects every row of this table, as an overloaded one does. */
async function refuse(table: string, database = owner) {
  await database.query(`create function refuse_${table}() returns trigger language plpgsql as $$ begin raise 'canceling statement due to statement timeout' using errcode = '57014'; end $$;
    create trigger refuse_${table} before insert
      on ${table} for each row execute function refuse_${table}()`);
  return () => database.query(`drop function refuse_${table}() cascade`);
}

test('call events that the database could not store are stored later, in order, though the carrier never retries', async () => {
  const mend = await refuse('call');
  const call = 'kept-call-1';
  expect(
    (
      await post(voiceWebhookPath, [
        {
          id: `${call}-1`,
          call,
          leg: call,
          seq: 1,
          at: Date.now(),
          type: 'inbound',
          from: '+12015550123',
          to: number.number,
        },
      ])
    ).status,
  ).toBe(503);
  await mend();
  // Later events are stored at once, and wait for the beginning of the call.
  expect(
    (
      await post(voiceWebhookPath, [
        {
          id: `${call}-2`,
          call,
          leg: call,
          seq: 2,
          at: Date.now(),
          type: 'legEnded',
          cause: 'hangup',
        },
      ])
    ).status,
  ).toBe(204);
  await expect
    .poll(
      () =>
        read(
          sql`select from_number, ended_at is not null ended from call where company_id = ${company.id}`,
        ),
      { timeout: 30_000 },
    )
    .toEqual([{ from_number: '+12015550123', ended: true }]);
  await expect.poll(kept).toBe(0);
});

test('so are texts, even when the database rejects the stored webhook as well; a forged report is not kept', async () => {
  const mend = await refuse('conversation_item');
  const mendReports = await refuse('webhook_retry');
  const text = {
    id: 'kept-1',
    from: '+12015550124',
    to: number.number,
    text: 'Still open?',
    at: Date.now(),
    media: [],
  };
  expect(
    (await post('/carriers/sandbox/texts', { texts: [text], reports: [] })).status,
  ).toBeGreaterThanOrEqual(500);
  expect(await kept()).toBe(0);
  await mendReports();
  await expect.poll(kept, { timeout: 30_000 }).toBe(1);
  // Stored unchanged, but unreadable to anyone who only has the table.
  expect(
    (await owner.query<{ sealed: string }>('select sealed from webhook_retry')).rows[0]!.sealed,
  ).not.toContain('Still open');
  await mend();
  await expect
    .poll(
      () =>
        read(
          sql`select text from conversation_item where company_id = ${company.id} and provider_event_id = 'kept-1'`,
        ),
      { timeout: 60_000 },
    )
    .toEqual([{ text: 'Still open?' }]);
  await expect.poll(kept).toBe(0);
  const forged = await app.as(null).inject({
    method: 'POST',
    url: '/carriers/sandbox/texts',
    payload: '{',
    headers: { 'content-type': 'application/json', [signatureHeader]: 'no' },
  });
  expect(forged.status).toBe(403);
  expect(await kept()).toBe(0);
  await owner.end();
}, 120_000);

test('a report whose signature covers a timestamp is judged by its arrival, however long it was stored', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const TELNYX_PUBLIC_KEY = publicKey
    .export({ type: 'spki', format: 'der' })
    .subarray(-32)
    .toString('base64');
  const telnyx = await createTestApp({
    env: {
      FAX_CARRIER: 'telnyx',
      TELNYX_API_KEY: 'KEY1',
      TELNYX_FAX_APP_ID: '129',
      TELNYX_PUBLIC_KEY,
    },
  });
  const database = new pg.Client({ connectionString: telnyx.services.settings.databaseUrl! });
  await database.connect();
  const { company } = await telnyx.createCompany();
  const { number: ours } = await inboxHelpers(telnyx).number(company.id);
  const say = (faxId: string) => {
    const payload = {
      fax_id: faxId,
      direction: 'inbound',
      from: '+12015550125',
      to: ours,
      page_count: 1,
      media_url: 'https://media.telnyx.com/a.pdf',
    };
    const body = JSON.stringify({
      data: { event_type: 'fax.received', occurred_at: new Date().toISOString(), payload },
    });
    const sentAt = String(Math.floor(telnyx.clock.value.getTime() / 1000));
    const signature = sign(null, Buffer.from(`${sentAt}|${body}`), privateKey).toString('base64');
    const headers = {
      'content-type': 'application/json',
      'telnyx-timestamp': sentAt,
      'telnyx-signature-ed25519': signature,
    };
    return (more: Record<string, string> = {}) =>
      telnyx.as(null).inject({
        method: 'POST',
        url: '/carriers/telnyx/fax',
        payload: body,
        headers: { ...headers, ...more },
      });
  };
  const faxes = async () =>
    (
      await database.query<{ provider_id: string }>('select provider_id from fax order by id')
    ).rows.map((row) => row.provider_id);
  const mend = await refuse('fax', database);
  const late = say('kept');
  expect((await late()).status).toBeGreaterThanOrEqual(500);
  telnyx.clock.advance(400);
  await mend();
  await expect.poll(faxes, { timeout: 60_000 }).toEqual(['kept']);
  // Delivered again now it is too old, because its first arrival is unknown.
  expect((await late()).status).toBe(403);
  expect(
    (
      await late({
        'x-kept-report': 'x',
        'x-kept-report-at': String(telnyx.clock.value.getTime() - 400_000),
      })
    ).status,
  ).toBe(403);
  expect((await say('another')()).status).toBe(204);
  await database.end();
}, 120_000);
