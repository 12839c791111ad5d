import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { systemCtx } from '../../../platform/context.ts';
import { setFaults, noFaults } from '../../../adapters/sandbox/fault-injection.ts';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { optIn, optOut, type OptOutChange } from './opt-out.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
await owner.connect();
owner.on('error', () => {});
afterAll(() => owner.end());
const migration = readFileSync(
  new URL('../../../../migrations/0376_opt_outs_that_were_none.sql', import.meta.url),
  'utf8',
);

/** What the codes 4785, 4790 and 4795 were once said to mean. */
const told = 'The recipient told the carrier to stop.';
const out = 'The recipient opted out at the carrier.';

test('opt-outs that only Bandwidth’s misread codes wrote are lifted, and no other', async () => {
  const { company, owner: sender } = await app.createCompany();
  const numbers = Array.from({ length: 8 }, (_, i) => `+1212555910${i}`) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const ctx = systemCtx(app.services, company.id, app.notifier);
  const say = (number: string, source: OptOutChange['source'], proof: string) =>
    ctx.transaction((t) => optOut(t, { number, source, numberId: null, proof }));
  /** A text that failed so at this carrier. */
  const from = await inbox.number(company.id);
  const failed = async (to: string, carrier: string) => {
    const { data } = (await inbox.send(sender, { numberId: from.id, to, message: 'Hello' })).body;
    await app.services.db.transaction({ companyId: company.id }, (tx) =>
      tx
        .updateTable('conversation_item')
        .set({
          carrier,
          delivery_state: 'failed',
          details: JSON.stringify({ content: 'Hello', media: [], errorCode: 'opted_out' }),
        })
        .where('id', '=', data.id)
        .execute(),
    );
  };
  const [wrong, alsoStop, stopFirst, real, backAndWrong, backAndStop, atTwilio, atBoth] = numbers;
  setFaults({ ...noFaults, outage: true });
  for (const number of [wrong, alsoStop, backAndStop, atBoth]) await failed(number, 'bandwidth');
  for (const number of [atTwilio, atBoth]) await failed(number, 'twilio');
  for (const number of [atTwilio, atBoth]) await say(number, 'carrier_error', told);
  await say(wrong, 'carrier_error', told);
  await say(wrong, 'carrier_error', out);
  await say(alsoStop, 'carrier_error', told);
  await say(alsoStop, 'keyword', 'STOP');
  await say(stopFirst, 'keyword', 'STOP');
  await say(stopFirst, 'carrier_error', out);
  await say(real, 'carrier_error', 'Attempt to send to unsubscribed recipient');
  for (const number of [backAndWrong, backAndStop]) {
    await say(
      number,
      number === backAndWrong ? 'keyword' : 'carrier_error',
      number === backAndWrong ? 'STOP' : told,
    );
    await ctx.transaction((t) =>
      optIn(t, { number, source: 'keyword', numberId: null, proof: 'START' }),
    );
  }
  await say(backAndWrong, 'carrier_error', out);
  await say(backAndStop, 'keyword', 'STOP');
  await app.services.db.transaction({ companyId: company.id }, (tx) =>
    tx
      .updateTable('contact')
      .set({ unsubscribed_at: new Date() })
      .where('number', '=', wrong)
      .execute(),
  );

  await owner.query(migration);
  await owner.query(migration);
  const rows = async <R extends object>(query: string) =>
    (await owner.query<R>(query, [company.id])).rows;
  expect(
    (
      await rows<{ number: string }>(
        'select number from opt_out where company_id = $1 order by number',
      )
    ).map((r) => r.number),
  ).toEqual([alsoStop, stopFirst, real, backAndStop, atTwilio, atBoth]);
  expect(
    await rows(
      "select number, source from opt_out_history where company_id = $1 and action = 'in' and source = 'carrier_error' order by number",
    ),
  ).toEqual([
    { number: wrong, source: 'carrier_error' },
    { number: backAndWrong, source: 'carrier_error' },
  ]);
  expect(
    await rows(`select unsubscribed_at from contact where company_id = $1 and number = '${wrong}'`),
  ).toEqual([{ unsubscribed_at: null }]);
  setFaults(noFaults);
});
