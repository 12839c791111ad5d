import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { LanguageModelRefused, type CallToRead } from '../../gateways/language-model.ts';
import { openAiModel } from './language-model.ts';

interface Asked {
  url: string;
  authorization: string | undefined;
  body: {
    model: string;
    messages: { role: string; content: string }[];
    response_format: { json_schema: { strict: boolean; schema: object } };
  };
}
let asked: Asked[] = [];
let next: { status: number; body: unknown } = { status: 200, body: {} };
/** An OpenAI-compatible server that answers what it is told to. */
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part: Buffer) => (body += part.toString()));
  request.on('end', () => {
    asked.push({
      url: request.url ?? '',
      authorization: request.headers.authorization,
      body: JSON.parse(body),
    });
    response
      .writeHead(next.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(next.body));
  });
}).listen(0);
afterAll(() => void server.close());
beforeEach(() => {
  asked = [];
});
const model = openAiModel({
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  model: 'small-1',
  key: 'k1',
  inputCents: 25,
  outputCents: 200,
});
const call: CallToRead = {
  lines: [
    { side: 'agent', text: 'Harbor Dental, how can I help?' },
    { side: 'client', text: 'I need a crown, and I have Delta Dental.' },
  ],
  outcomes: [{ key: 'appt_booked', label: 'Appointment booked' }],
  fields: [
    {
      key: 'insurer',
      name: 'Insurer',
      type: 'enum',
      prompt: 'Which insurance does the client have?',
      choices: ['Delta Dental', 'Aetna'],
      allow_null: true,
      with_reason: true,
    },
    {
      key: 'visits',
      name: 'Visits',
      type: 'number',
      prompt: '',
      choices: [],
      allow_null: false,
      with_reason: false,
    },
  ],
};
const evidence = 'I need a crown, and I have Delta Dental.';
const content = {
  summary: { value: 'The client needs a crown.', evidence, reason: null },
  sentiment: { value: 'neutral', score: 0, evidence, reason: null },
  outcome: null,
  fields: { insurer: { value: 'Delta Dental', evidence, reason: 'Said so' }, visits: null },
};
const completion = (message: object) => ({
  model: 'small-1-2026',
  choices: [{ message }],
  usage: { prompt_tokens: 4000, completion_tokens: 500 },
});

test('the request names model, key and a strict schema, and holds the lines as material', async () => {
  next = { status: 200, body: completion({ content: JSON.stringify(content) }) };
  expect(await model.readCall(call)).toEqual({
    model: 'small-1-2026',
    ...content,
    inputTokens: 4000,
    outputTokens: 500,
    // 4,000 tokens at 25 cents a million are 0.1 cents, 500 at 200 are 0.1 cents.
    costMicros: 2000,
  });
  const [{ url, authorization, body }] = asked as [Asked];
  expect([url, authorization, body.model]).toEqual([
    '/v1/chat/completions',
    'Bearer k1',
    'small-1',
  ]);
  const [system, user] = body.messages;
  expect(JSON.parse(user?.content ?? '')).toEqual({ call: call.lines });
  expect(system?.content).toContain('Which insurance does the client have?');
  expect(system?.content).not.toContain('crown');
  const { strict, schema } = body.response_format.json_schema;
  expect(strict).toBe(true);
  // What strict mode asks for: every object closed, all of its properties required.
  const check = (one: unknown): void => {
    if (one === null || typeof one !== 'object') return;
    const { type, properties, required, additionalProperties } = one as Record<string, unknown>;
    if (type === 'object') {
      expect(additionalProperties).toBe(false);
      expect(required).toEqual(Object.keys(properties as object));
    }
    Object.values(one).forEach(check);
  };
  check(schema);
  expect(JSON.stringify(schema)).toContain('"enum":["Delta Dental","Aetna"]');
});

test('an answer beside the schema and a busy server can be asked again; a refusal is for good', async () => {
  next = { status: 200, body: completion({ content: '{"summary": 1}' }) };
  await expect(model.readCall(call)).rejects.toThrow('schema');
  next = { status: 503, body: {} };
  const busy = await model.readCall(call).catch((error: unknown) => error);
  expect(busy).toBeInstanceOf(Error);
  expect(busy).not.toBeInstanceOf(LanguageModelRefused);
  for (const refused of [
    { status: 401, body: {} },
    { status: 404, body: {} },
    { status: 200, body: completion({ content: null, refusal: 'No.' }) },
  ]) {
    next = refused;
    await expect(model.readCall(call)).rejects.toBeInstanceOf(LanguageModelRefused);
  }
});

test('of a very long call its beginning and its end are sent', async () => {
  next = { status: 200, body: completion({ content: JSON.stringify(content) }) };
  const lines = Array.from({ length: 1000 }, (_, i) => ({
    side: 'client' as const,
    text: `line ${i} ${'word '.repeat(40)}`,
  }));
  await model.readCall({ ...call, lines });
  const sent = (JSON.parse(asked[0]?.body.messages[1]?.content ?? '') as { call: typeof lines })
    .call;
  expect(sent.length).toBeLessThan(320);
  expect(sent[0]?.text).toContain('line 0 ');
  expect(sent.at(-1)?.text).toContain('line 999 ');
});
