import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { search as contract, exporting } from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { findMarks, readCallSearch, snippetOf, wordsOf } from './rules.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const { company, owner } = await app.createCompany();
const [first, second] = [await inbox.number(company.id), await inbox.number(company.id)];

interface Line {
  speaker: 1 | 2;
  text: string;
  at: number;
}
let nextId = 1000;
async function aCall(more: {
  number?: number;
  party?: string;
  note?: string;
  caller?: string;
  contact?: string;
  tag?: string;
  lines?: Line[];
  minutesAgo?: number;
  kind?: 'call' | 'voicemail';
}): Promise<number> {
  const id = nextId++;
  const party = more.party ?? `+1212555${id}`;
  await app.services.db.systemTransaction(async (tx) => {
    const contact = more.contact
      ? (
          await tx
            .insertInto('contact')
            .values({ company_id: company.id, number: party, name: more.contact })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id
      : null;
    await sql`insert into call (company_id, id, number_id, outbound, carrier, from_number,
        to_number, party, status, outcome, started_at, duration_seconds, talk_seconds, note,
        caller_name, contact_id)
      values (${company.id}, ${id}, ${more.number ?? first.id}, false, 'sandbox', ${party},
          ${first.number}, ${party}, 12, 1, now() - ${more.minutesAgo ?? 1} * interval '1 minute',
          60, 50, ${more.note ?? ''}, ${more.caller ?? null}, ${contact})`.execute(tx);
    if (more.tag)
      await sql`with t as (insert into tag (company_id, name, color)
          values (${company.id}, ${more.tag}, 'teal') returning id)
        insert into call_tag (company_id, call_id, tag_id)
        select ${company.id}, ${id}, t.id from t`.execute(tx);
    if (more.lines) {
      const segments = more.lines.map((l, i) => ({
        i,
        speaker: l.speaker,
        channel: 0,
        start_ms: l.at,
        end_ms: l.at + 3000,
        text: l.text,
        confidence: 1,
        words: l.text.split(' ').map((w, k) => ({
          w,
          start_ms: l.at + k * 300,
          end_ms: l.at + k * 300 + 250,
          confidence: 1,
        })),
      }));
      await sql`with r as (insert into recording (company_id, call_id, carrier_recording, kind,
            state, content_type, duration_ms, channels, speakers, created_at)
          values (${company.id}, ${id}, ${`r${id}`}, ${more.kind ?? 'call'}, 'ready', 'audio/wav',
            60000, 2, '{2,1}', now()) returning id)
        insert into transcription (company_id, recording_id, call_id, state, text,
            metadata, created_at)
          select ${company.id}, r.id, ${id}, 'ready', ${more.lines.map((l) => l.text).join(' ')},
          ${JSON.stringify({ segments })}::jsonb, now() from r`.execute(tx);
    }
  });
  return id;
}
const search = async (
  q: string | undefined,
  more: Record<string, unknown> = {},
  who: TestPerson = owner,
) =>
  (
    await app
      .as(who)
      .request(contract.searchCalls, { query: { companyId: company.id, q, ...more } })
  ).body;
const ids = async (q: string, more: Record<string, unknown> = {}, who: TestPerson = owner) =>
  (await search(q, more, who)).data.map((f) => f.call.id);

let canal: number, bill: number, noted: number, named: number, tagged: number, mail: number;
beforeAll(async () => {
  canal = await aCall({
    lines: [
      { speaker: 1, text: 'Good morning, Bright Smile, how can I help?', at: 1000 },
      { speaker: 2, text: 'I need a root canal and my insurance pays it', at: 6000 },
    ],
    minutesAgo: 5,
  });
  bill = await aCall({
    lines: [
      { speaker: 2, text: 'Your bill says root of all canals', at: 2000 },
      { speaker: 1, text: 'Our insurance desk will refund it', at: 5000 },
    ],
    minutesAgo: 4,
  });
  noted = await aCall({ note: 'Wants two appointments in May', minutesAgo: 3 });
  named = await aCall({
    contact: 'Zoltan Kovács',
    caller: 'KOVACS Z',
    party: '+12125550147',
    minutesAgo: 2,
  });
  tagged = await aCall({ tag: 'Emergency patient', number: second.id, minutesAgo: 1 });
  mail = await aCall({
    kind: 'voicemail',
    lines: [{ speaker: 2, text: 'Please call back about whitening', at: 0 }],
    number: second.id,
    minutesAgo: 0.5,
  });
});

test('finds transcripts, notes, tags and callers by any form of a word, newest first', async () => {
  expect(await ids('insurance')).toEqual([bill, canal]);
  expect(await ids('appointment')).toEqual([noted]);
  expect(await ids('emergencies')).toEqual([tagged]);
  expect(await ids('zoltan')).toEqual([named]);
  expect(await ids('whiten*')).toEqual([mail]);
  expect(await ids('5550147')).toEqual([named]);
  expect(await ids('insurance zoltan')).toEqual([]);
});
test('supports exact phrases, excluded words and speakers', async () => {
  expect(await ids('root canal')).toEqual([bill, canal]);
  expect(await ids('"root canal"')).toEqual([canal]);
  expect(await ids('insurance -refund')).toEqual([canal]);
  expect(await ids('insurance -"root canal"')).toEqual([bill]);
  expect(await ids('speaker:client insurance')).toEqual([canal]);
  expect(await ids('speaker:agent insurance')).toEqual([bill]);
});
test('each hit has its field, time and marked words', async () => {
  const [hit] = (await search('insured speaker:all "root canal"')).data;
  expect(hit).toMatchObject({
    call: { id: canal },
    highlights: [
      {
        field: 'transcript',
        speaker: 2,
        start_ms: 6900,
        snippet: 'I need a root canal and my insurance pays it',
      },
    ],
  });
  const { snippet, marks } = hit!.highlights[0]!;
  expect(marks.map(([from, to]) => snippet.slice(from, to))).toEqual([
    'root',
    'canal',
    'insurance',
  ]);
  expect((await search('appointments')).data[0]!.highlights).toEqual([
    {
      field: 'note',
      snippet: 'Wants two appointments in May',
      start_ms: null,
      speaker: null,
      marks: [[10, 22]],
    },
  ]);
  expect((await search('whitening')).data[0]!.highlights[0]).toMatchObject({
    field: 'voicemail',
    start_ms: 1200,
  });
  expect((await search('0147')).data[0]!.highlights).toMatchObject([
    { field: 'caller', snippet: '(212) 555-0147' },
  ]);
  expect((await search('emergency')).data[0]!.highlights).toMatchObject([
    { field: 'tag', snippet: 'Emergency patient' },
  ]);
});
test('changes update the index: new words are found, removed ones are not', async () => {
  await app.services.db.systemTransaction((tx) =>
    sql`update call set note = 'Wants a crown' where company_id = ${company.id} and id = ${noted}`.execute(
      tx,
    ),
  );
  expect([await ids('appointment'), await ids('crown')]).toEqual([[], [noted]]);
  await app.services.db.systemTransaction((tx) =>
    sql`update contact set name = 'Zita Nagy' where company_id = ${company.id} and name = 'Zoltan Kovács'`.execute(
      tx,
    ),
  );
  expect([await ids('zoltan'), await ids('zita')]).toEqual([[], [named]]);
  await app.services.db.systemTransaction((tx) =>
    sql`update tag set name = 'Urgent' where company_id = ${company.id} and name = 'Emergency patient'`.execute(
      tx,
    ),
  );
  expect([await ids('emergency'), await ids('urgent')]).toEqual([[], [tagged]]);
  await app.services.db.systemTransaction((tx) =>
    sql`update transcription set state = 'redacted', text = '', metadata = null
      where company_id = ${company.id} and call_id = ${mail}`.execute(tx),
  );
  expect(await ids('whitening')).toEqual([]);
});
test('users find calls of their numbers only; other companies find none', async () => {
  const limited = await app.createPerson(company.id, 'user', [second.id]);
  expect(await ids('insurance', {}, limited)).toEqual([]);
  expect(await ids('urgent', {}, limited)).toEqual([tagged]);
  expect(await ids('insurance', { number_ids: [first.id] }, limited)).toEqual([]);
  const other = await app.createCompany();
  expect(
    (
      await app.as(other.owner).request(contract.searchCalls, {
        query: { companyId: other.company.id, q: 'insurance' },
      })
    ).body.data,
  ).toEqual([]);
  // The SQL functions themselves return rows of the transaction's company only.
  for (const by of ['calls_matching', 'calls_newest']) {
    const leaked = await app.services.db.transaction({ companyId: other.company.id }, (tx) =>
      sql`select * from ${sql.ref(by)}(${company.id},
        '[{"text":"insurance","way":"word","of":"all","not":false}]'::jsonb, null,
        '-infinity', 'infinity', 10)`.execute(tx),
    );
    expect(leaked.rows).toEqual([]);
  }
});
test('pages and filters; exclusions alone are invalid; no query shows the newest transcribed calls', async () => {
  const page = await search('insurance', { perPage: 1, page: 2 });
  expect([page.data.map((f) => f.call.id), page.meta.total]).toEqual([[canal], 2]);
  expect((await search('insurance', { perPage: 1, page: 9 })).meta.total).toBe(2);
  expect(await ids('insurance', { direction: 'outbound' })).toEqual([]);
  expect(await ids('insurance', { min_duration: 50, outcome: 1 })).toEqual([bill, canal]);
  expect(await ids('insurance', { tags: ['urgent'] })).toEqual([]);
  expect(await ids('insurance', { end: '2020-01-01' })).toEqual([]);
  expect(
    (
      await app
        .as(owner)
        .request(contract.searchCalls, { query: { companyId: company.id, q: '-refund' } })
    ).body,
  ).toMatchObject({ errors: { q: ['Enter at least one word to search for.'] } });
  expect((await search(undefined)).data.map((f) => f.call.id)).toEqual([bill, canal]);
});
test('all hits can be exported by users who may export', async () => {
  const { meta, data } = (await search('insurance', {
    format: 'csv',
    tz: 'America/New_York',
  })) as unknown as { meta: { batchId: string; total: number }; data: unknown[] };
  expect(data).toEqual([]);
  await app.drainJobs();
  const done = (
    await app.as(owner).request(exporting.exportProgress, {
      params: { batchId: meta.batchId },
      query: { companyId: company.id },
    })
  ).body.data;
  expect(done).toMatchObject({
    processed: 2,
    failed: 0,
    file: { rows: 2, name: expect.stringMatching(/^call-search-/) },
  });
  const file = (
    await app.server.inject({
      method: 'GET',
      url: done.resultUrl!,
      headers: { authorization: `Bearer ${owner.token}` },
    })
  ).body;
  expect(file).toContain('[0:08] I need a root canal and my insurance pays it');
  await app.services.db.systemTransaction((tx) =>
    sql`update company set settings = settings || '{"users_can_export": false}' where id = ${company.id}`.execute(
      tx,
    ),
  );
  const user = await app.createPerson(company.id, 'user');
  expect(
    (
      await app.as(user).request(contract.searchCalls, {
        query: { companyId: company.id, q: 'insurance', format: 'csv' },
      })
    ).status,
  ).toBe(403);
  expect(await ids('insurance', {}, user)).toEqual([bill, canal]);
});
test('no input causes a database error', async () => {
  const odd = [
    "'; drop table call; --",
    '"unfinished',
    '\\',
    "o'clock",
    'a:*',
    '%%',
    '!(x | y)',
    '%L %s %I',
    '\u0000nul',
    '💥 boom',
    '"" -',
    'speaker:',
    '*',
    "'",
    'x'.repeat(300),
    '-'.repeat(200),
  ];
  for (const q of odd)
    expect([200, 422], q).toContain(
      (await app.as(owner).request(contract.searchCalls, { query: { companyId: company.id, q } }))
        .status,
    );
});
test('marks always cover their words, and a snippet keeps at least one', () => {
  const text = fc
    .array(fc.constantFrom('canal', 'Canal’s', 'root', 'and', 'ab', 'Müller', '42'), {
      minLength: 1,
      maxLength: 60,
    })
    .map((words) => words.join(' '));
  fc.assert(
    fc.property(text, (whole) => {
      const { snippet, marks } = snippetOf(
        whole,
        findMarks(whole, (word) => word === 'canal'),
      );
      for (const [from, to] of marks)
        expect(snippet.slice(from, to).toLowerCase()).toMatch(/^canal(’s)?$/);
      if (/canal/i.test(whole)) expect(marks.length).toBeGreaterThan(0);
      expect([...wordsOf(whole)].length).toBe(whole.split(' ').length);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (q) => {
      for (const one of readCallSearch(q)) expect(one.text.length).toBeGreaterThan(0);
    }),
  );
});
