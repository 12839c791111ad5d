import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { monitoring as contract, phrases, settings } from '#contract';
import type { AlertKind } from '#contract/monitoring/rules';
import { inboxHelpers } from '../../../test/support/inbox.ts';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { checkCompany } from './check-company.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const { db } = app.services;
const check = async (who: TestPerson, ...kinds: AlertKind[]) => {
  await systemCtx(app.services, who.companyId, app.notifier).transaction((t) =>
    checkCompany(t, kinds),
  );
  const { body } = await app
    .as(who)
    .request(contract.listAlerts, { query: { company_id: who.companyId, state: 'open' } });
  return body.data.map(({ kind, subject, message }) => [kind, subject.label, message]);
};
const ago = (hours: number): Date => new Date(app.clock.value.getTime() - hours * 3_600_000);

/** A company's call some hours ago, with a transcript of this sentiment. */
async function aCall(companyId: number, hours: number, sentiment: string | null) {
  const { id: number } = await inbox.number(companyId);
  const { rows } = await sql<{ id: number; transcript: number }>`
    with made as (
      insert into call (company_id, number_id, carrier, outbound, from_number, to_number, party,
        outcome, started_at, talk_seconds)
      values (${companyId}, ${number}, 'sandbox', false, '', '', '+12125550100', 1, ${ago(hours)}, 60)
      returning id),
    sound as (
      insert into recording (company_id, call_id, carrier_recording, kind, state, content_type,
        duration_ms, channels, speakers, created_at)
      select ${companyId}, id, 'sound-' || id, 'call', 'ready', 'audio/wav', 60000, 2, '{1,2}',
        ${ago(hours)} from made returning id, call_id)
    insert into transcription (company_id, call_id, recording_id, state, metadata, created_at)
    select ${companyId}, call_id, id, 'ready',
      ${JSON.stringify(sentiment ? { sentiment: { overall: sentiment } } : {})}::jsonb, ${ago(hours)}
    from sound returning call_id "id", id "transcript"`.execute(db.unscoped);
  return rows[0]!;
}
async function said(
  companyId: number,
  listId: number,
  { hours, isRough = false }: { hours: number; isRough?: boolean },
) {
  const { id, transcript } = await aCall(companyId, hours, null);
  await sql`insert into phrase_hit (company_id, list_id, transcription_id, call_id, called_at, spoken,
      is_rough)
    values (${companyId}, ${listId}, ${transcript}, ${id}, ${ago(hours)}, '[]', ${isRough})`.execute(
    db.unscoped,
  );
}
const aList = async (who: TestPerson, name: string, alert: boolean) =>
  (
    await app.as(who).request(phrases.createPhraseList, {
      params: { companyId: who.companyId },
      body: { name, alert, phrases: ['cancel*'] },
    })
  ).body.data;

test('a phrase list that is watched raises an alert while its phrases are said', async () => {
  const { company, owner } = await app.createCompany();
  const nearby = await app.createCompany();
  const watched = await aList(owner, 'Cancellations', true);
  const quiet = await aList(owner, 'Parking', false);
  const theirs = await aList(nearby.owner, 'Cancellations', true);
  expect([watched.alert, quiet.alert]).toEqual([true, false]);
  await said(company.id, quiet.id, { hours: 1 });
  await said(company.id, watched.id, { hours: 25 });
  await said(company.id, watched.id, { hours: 1, isRough: true });
  expect(await check(owner, 'phrase_said')).toEqual([]);
  await said(company.id, watched.id, { hours: 2 });
  await said(company.id, watched.id, { hours: 1 });
  const found = [['phrase_said', 'Cancellations', 'It was said in 2 calls in 24 hours.']];
  expect(await check(owner, 'phrase_said')).toEqual(found);
  expect(await check(nearby.owner, 'phrase_said')).toEqual([]);
  await said(nearby.company.id, theirs.id, { hours: 1 });
  expect(await check(nearby.owner, 'phrase_said')).toEqual([
    ['phrase_said', 'Cancellations', 'It was said in 1 call in 24 hours.'],
  ]);
  // No longer watched, it is over after two checks.
  const { name, phrases: words } = watched;
  await app.as(owner).request(phrases.updatePhraseList, {
    params: { companyId: company.id, listId: watched.id },
    body: { name, phrases: words, alert: false },
  });
  await check(owner, 'phrase_said');
  expect(await check(owner, 'phrase_said')).toEqual([]);
});

test('many calls with a negative sentiment raise an alert, from when the company says', async () => {
  const { company, owner } = await app.createCompany();
  const nearby = await app.createCompany();
  for (const mood of ['negative', 'negative', 'positive', 'neutral'])
    await aCall(company.id, 3, mood);
  await aCall(company.id, 3, null);
  await aCall(company.id, 30, 'negative');
  // Four are known: too few to say anything.
  expect(await check(owner, 'calls_negative')).toEqual([]);
  await aCall(company.id, 2, 'positive');
  expect(await check(owner, 'calls_negative')).toEqual([
    ['calls_negative', company.name, '2 of 5 calls in 24 hours have a negative sentiment.'],
  ]);
  expect(await check(nearby.owner, 'calls_negative')).toEqual([]);
  await app.as(owner).request(settings.updateGeneralSettings, {
    query: { company_id: company.id },
    body: { alert_negative_percent: 40 },
  });
  await check(owner, 'calls_negative');
  expect(await check(owner, 'calls_negative')).toEqual([]);
});
