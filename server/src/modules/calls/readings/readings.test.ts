import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { callAnalytics, calls, companies, fields, features, readings as contract } from '#contract';
import {
  LanguageModelRefused,
  type CallReading,
  type CallToRead,
  type LanguageModel,
} from '../../../gateways/language-model.ts';
import { systemCtx } from '../../../platform/context.ts';
import { createTestNumber } from '../../../../test/support/call-harness.ts';
import { createSpokenCall } from '../../../../test/support/spoken-call.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { readCall } from './read-call.ts';

let asked: CallToRead[] = [];
let answer: (call: CallToRead) => Promise<CallReading>;
const languageModel: LanguageModel = {
  engine: 'models.example',
  isSimulated: false,
  readCall: (call) => {
    asked.push(call);
    return answer(call);
  },
};
const app = await createTestApp({ ports: { languageModel } });

const wish = 'I want to book a cleaning on Thursday.';
const lines = ['agent: Harbor Dental, how can I help?', `client: ${wish}`];
const of = <T>(value: T, evidence = wish, reason: string | null = null) => ({
  value,
  evidence,
  reason,
});
const reading = (more: Partial<CallReading> = {}): CallReading => ({
  model: 'small-1',
  summary: of('The client wants a cleaning on Thursday.'),
  sentiment: { ...of('positive' as const), score: 0.6 },
  outcome: of('appt_booked'),
  fields: {},
  inputTokens: 800,
  outputTokens: 100,
  costMicros: 400,
  ...more,
});
beforeEach(() => {
  asked = [];
  answer = () => Promise.resolve(reading());
});

async function aCompany(isOn = true) {
  const { company, owner } = await app.createCompany();
  const number = await createTestNumber(app, company.id);
  await app.services.db.systemTransaction((tx) =>
    sql`update number set ai_eav_enabled = ${isOn}, record = true, call_transcription_enabled = true
      where company_id = ${company.id}`.execute(tx),
  );
  const field = async (body: object) =>
    (
      await app.as(owner).request(fields.createField, {
        params: { type: 'call' },
        // Each call gives the rest of a field, as its test needs it.
        body: { company_id: company.id, ...body } as never,
      })
    ).body.data;
  const say = (
    said: readonly string[] = lines,
    more: Partial<Parameters<typeof createSpokenCall>[2]> = {},
  ) => createSpokenCall(app, company.id, { numberId: number.id, lines: said, ...more });
  return { company, owner, field, say };
}
const seen = async (who: TestPerson, id: number) =>
  (await app.as(who).request(calls.getCall, { params: { id } })).body.data;
const readAgain = (who: TestPerson, id: number, dry_run = false) =>
  app.as(who).request(contract.readCall, { params: { id }, body: { dry_run } });
const usage = async (companyId: number) =>
  (
    await app.services.db.systemTransaction((tx) =>
      sql<{ n: number }>`select coalesce(sum(quantity), 0)::int n from usage_entry
        where company_id = ${companyId} and component = 'ai_calls'`.execute(tx),
    )
  ).rows[0]?.n;

test('a transcribed call gets summary, sentiment and a suggested outcome, each with its sentence', async () => {
  const { company, owner, say } = await aCompany();
  const id = await say();
  await app.drainJobs();
  const call = await seen(owner, id);
  const evidence = { text: wish, start_ms: 4000, speaker: 2 };
  expect(call).toMatchObject({
    summary: 'The client wants a cleaning on Thursday.',
    sentiment: { label: 'positive', score: 0.6 },
    outcome_tags: [],
    ai: {
      state: 'ready',
      engine: 'models.example',
      model: 'small-1',
      is_simulated: false,
      summary: { evidence },
      sentiment: { label: 'positive', evidence },
      outcome: { tag: 'appt_booked', evidence },
      dropped: [],
      input_tokens: 800,
      cost_micros: 400,
    },
    transcription: {
      metadata: {
        summary: { text: 'The client wants a cleaning on Thursday.' },
        sentiment: { overall: 'positive' },
      },
    },
  });
  expect(call.history).toContainEqual(
    expect.objectContaining({
      label: 'Filled by AI',
      detail: 'Summary, Sentiment',
      actor: 'AI',
    }),
  );
  expect(await usage(company.id)).toBe(1);
  const report = await app.as(owner).request(callAnalytics.analyzeCalls, {
    query: { companyId: company.id, group: 'sentiment', tz: 'UTC' },
  });
  expect(report.body.data).toMatchObject([{ key: 'positive', value: 1 }]);
});

test('what rests on no sentence of the call is dropped, and so is a value that doesn’t fit', async () => {
  const { owner, field, say } = await aCompany();
  await field({ name: 'Visits', type: 'number', ai: { enabled: true, prompt: 'How often?' } });
  answer = () =>
    Promise.resolve(
      reading({
        summary: of('Invented.', 'I will sue you.'),
        outcome: of('appt_booked', 'WANT TO BOOK a cleaning'),
        fields: { visits: of('often') },
      }),
    );
  const id = await say();
  await app.drainJobs();
  expect(await seen(owner, id)).toMatchObject({
    summary: null,
    ai: {
      summary: null,
      outcome: { tag: 'appt_booked' },
      fields: [],
      dropped: [
        { what: 'summary', why: 'no_evidence' },
        { what: 'Visits', why: 'invalid' },
      ],
    },
    eavAttributeValues: [],
  });
});

test('a company says which fields of its calls AI fills', async () => {
  const { company, owner, field } = await aCompany();
  const other = await app.createCompany();
  const asked = { enabled: true, prompt: 'Which day?' };
  const day = await field({ name: 'Day', type: 'stringText', ai: asked });
  await field({ name: 'Note', type: 'stringText', ai: { ...asked, enabled: false } });
  const fieldsOf = async (who: TestPerson, id: number) =>
    (await app.as(who).request(companies.getCompany, { params: { id } })).body.data.ai_eav.fields;
  expect(await fieldsOf(owner, company.id)).toEqual([{ id: day.id, key: 'day', name: 'Day' }]);
  expect(await fieldsOf(other.owner, other.company.id)).toEqual([]);
});

test('AI fields are filled with their reason; a person’s value stays, also one that was cleared', async () => {
  const { owner, field, say } = await aCompany();
  const day = await field({
    name: 'Day',
    type: 'enum',
    choices: [{ value: 'Thursday' }, { value: 'Friday' }],
    ai: { enabled: true, prompt: 'Which day?', allow_null: true, with_reason: true },
  });
  await field({ name: 'Note', type: 'stringText' });
  answer = () =>
    Promise.resolve(reading({ fields: { day: of('Thursday', wish, 'Asked for it') } }));
  const id = await say();
  await app.drainJobs();
  expect(asked[0]?.fields).toEqual([
    {
      key: 'day',
      name: 'Day',
      type: 'enum',
      prompt: 'Which day?',
      choices: ['Thursday', 'Friday'],
      allow_null: true,
      with_reason: true,
    },
  ]);
  expect((await seen(owner, id)).eavAttributeValues).toMatchObject([
    { key: 'day', label: 'Thursday', source: 'ai', reason: 'Asked for it' },
  ]);
  const correct = (value: unknown) =>
    app.as(owner).request(calls.updateCall, {
      params: { id },
      body: {
        summary: 'My own words.',
        sentiment: 'negative',
        eavAttributeValues: [{ attribute_id: day.id, value }],
      },
    });
  for (const [value, labels] of [
    ['Friday', ['Friday']],
    [null, []],
  ] as const) {
    expect((await correct(value)).status).toBe(200);
    expect((await readAgain(owner, id)).status).toBe(202);
    await app.drainJobs();
    const call = await seen(owner, id);
    expect(call.eavAttributeValues.map(({ label }) => label)).toEqual(labels);
    expect(call).toMatchObject({
      summary: 'My own words.',
      sentiment: { label: 'negative', score: null },
      ai: { fields: [{ name: 'Day', value: 'Thursday', state: 'kept' }] },
    });
  }
});

test('card numbers never leave, even where the company keeps them', async () => {
  const { company, owner, say } = await aCompany();
  await app.services.db.systemTransaction((tx) =>
    sql`update company set settings = settings || '{"redact_card_numbers": false}'
      where id = ${company.id}`.execute(tx),
  );
  const id = await say([
    'client: My card is 4242 4242 4242 4242 okay',
    'client: my social is 123-45-6789',
  ]);
  await app.drainJobs();
  expect((await seen(owner, id)).transcription.text).toContain('4242');
  expect(asked).toHaveLength(1);
  expect(JSON.stringify(asked)).not.toMatch(/4242|6789/);
  expect(asked[0]?.lines[0]?.text).toBe('My card is [card number] okay');
});

test('a dry run shows what it found and changes nothing; it is metered, too', async () => {
  const { company, owner, say } = await aCompany(false);
  const id = await say();
  await app.drainJobs();
  expect(asked).toEqual([]);
  expect((await seen(owner, id)).ai).toBeNull();
  // So that the first reading still waits when the second is asked for.
  await app.stopJobs();
  expect((await readAgain(owner, id, true)).body.data).toMatchObject({ state: 'queued' });
  expect((await readAgain(owner, id)).body).toMatchObject({ code: 'reading.running' });
  await app.drainJobs();
  expect(await seen(owner, id)).toMatchObject({
    summary: null,
    sentiment: { label: 'unknown' },
    ai: { dry_run: true, state: 'ready', summary: { text: expect.stringContaining('cleaning') } },
  });
  expect(await usage(company.id)).toBe(1);
});

test('a busy server is asked again, and when it stays busy that is shown; neither is metered', async () => {
  const { company, owner, say } = await aCompany();
  await app.stopJobs();
  const id = await say();
  const { ai } = await seen(owner, id);
  const ctx = systemCtx(app.services, company.id, app.notifier);
  answer = () => Promise.reject(new Error('The server answered 503.'));
  const run = (last: boolean) => readCall(ctx, { readingId: ai?.id ?? 0 }, { last });
  await expect(run(false)).rejects.toThrow('503');
  expect((await seen(owner, id)).ai).toMatchObject({ state: 'queued' });
  await run(true);
  expect((await seen(owner, id)).ai).toMatchObject({
    state: 'failed',
    error: 'The server answered 503.',
  });
  await app.drainJobs();
  answer = () => Promise.reject(new LanguageModelRefused('The server refused it with 401.'));
  await readAgain(owner, id);
  await app.drainJobs();
  expect((await seen(owner, id)).ai?.error).toBe('The server refused it with 401.');
  expect(await usage(company.id)).toBe(0);
  answer = () => Promise.resolve(reading());
  await readAgain(owner, id);
  await app.drainJobs();
  expect((await seen(owner, id)).ai).toMatchObject({ state: 'ready', error: null });
  expect(await usage(company.id)).toBe(1);
});

test('words that were only guessed, another company’s calls and a feature that is off are not read', async () => {
  const { owner, say } = await aCompany();
  const rough = await say(lines, { engine: 'pocketsphinx (low confidence)', confidence: 0.4 });
  await app.drainJobs();
  expect(asked).toEqual([]);
  expect((await readAgain(owner, rough)).body).toMatchObject({ code: 'reading.no_words' });
  const id = await say();
  const other = await aCompany();
  expect((await readAgain(other.owner, id)).status).toBe(404);
  await app.as(owner).request(features.setCompanyFeature, {
    params: { companyId: owner.companyId, featureName: 'ai-eav' },
    body: { enabled: false },
  });
  asked = [];
  await say();
  await app.drainJobs();
  expect(asked).toEqual([]);
  expect((await readAgain(owner, id)).body).toMatchObject({ code: 'feature.off' });
});
