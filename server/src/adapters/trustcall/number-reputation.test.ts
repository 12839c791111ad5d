import { createServer } from 'node:http';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { trustCallReputation } from './number-reputation.ts';

interface Asked {
  method: string;
  path: string;
  loginId: string | undefined;
  body: unknown;
}
let asked: Asked[] = [];
let answers: Record<string, { status: number; body: unknown }> = {};
const server = createServer((request, response) => {
  let text = '';
  request.on('data', (part) => (text += String(part)));
  request.on('end', () => {
    const path = new URL(request.url!, 'http://x').pathname.split('/').pop()!;
    asked.push({
      method: request.method!,
      path: request.url!,
      loginId: request.headers['loginid'] as string | undefined,
      body: text ? JSON.parse(text) : null,
    });
    const { status, body } = answers[path] ?? { status: 200, body: [] };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
}).listen(0);
afterAll(() => {
  server.close();
});
beforeEach(() => {
  asked = [];
  answers = {};
});
const source = trustCallReputation({
  loginId: 'L1',
  url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
});
/** An entry as the public reference shows it. */
const score = (Phone: string, given: Record<string, string> = {}) => ({
  Response: 'Phone number current score',
  Phone,
  CurrScore: 'Clean',
  MaxScore: 'Clean',
  HistoricalScore: '0',
  VerizonScore: 'Clean',
  ATTScore: 'Clean',
  TMobileScore: 'Clean',
  RoboKillerStatus: 'Clean',
  NomoroboStatus: 'Clean',
  FTCComplaints: null,
  ...given,
});

test('the answer of the public reference is understood; numbers of North America are asked together', async () => {
  answers['Get'] = {
    status: 200,
    body: [
      score('2025550100'),
      score('7867056421', { CurrScore: 'High', VerizonScore: 'Flagged', ATTScore: 'Flagged' }),
    ],
  };
  expect(await source.check(['+17867056421', '+442071838750', '+12025550100'])).toEqual([
    { number: '+17867056421', flaggedBy: ['Verizon', 'AT&T'] },
    { number: '+442071838750', flaggedBy: null },
    { number: '+12025550100', flaggedBy: [] },
  ]);
  expect(asked).toEqual([
    {
      method: 'GET',
      path: '/v1.5/TrustCall/Get?phoneList=7867056421,2025550100',
      loginId: 'L1',
      body: null,
    },
  ]);
});

test('what isn’t watched yet is added, and not known until its scores are there', async () => {
  const processing = {
    VerizonScore: 'Processing',
    ATTScore: 'Processing',
    TMobileScore: 'Processing',
    RoboKillerStatus: 'Processing',
    NomoroboStatus: 'Processing',
  };
  answers['Get'] = { status: 200, body: [score('2025550100', processing)] };
  answers['Add'] = { status: 200, body: [score('2025550101', processing)] };
  expect(await source.check(['+12025550100', '+12025550101'])).toEqual([
    { number: '+12025550100', flaggedBy: null },
    { number: '+12025550101', flaggedBy: null },
  ]);
  expect(asked.map(({ method, body }) => [method, body])).toEqual([
    ['GET', null],
    ['POST', [{ Phone: '2025550101' }]],
  ]);
});

test('many numbers are asked in requests of 200; those that go are removed', async () => {
  const many = Array.from({ length: 401 }, (_, n) => `+1202555${String(n).padStart(4, '0')}`);
  answers['Get'] = { status: 200, body: many.map((number) => score(number.slice(2))) };
  expect((await source.check(many)).every(({ flaggedBy }) => flaggedBy?.length === 0)).toBe(true);
  expect(asked).toHaveLength(3);
  asked = [];
  await source.forget(['+12025550100', '+442071838750']);
  expect(asked).toMatchObject([
    { method: 'POST', path: '/v1.5/TrustCall/Remove', body: ['2025550100'] },
  ]);
});

test('a refused login ID, a failure and an answer of another shape are errors, never “clean”', async () => {
  answers['Get'] = { status: 401, body: {} };
  await expect(source.check(['+12025550100'])).rejects.toThrow(/refuses TRUSTCALL_LOGIN_ID/);
  answers['Get'] = { status: 200, body: { error: 'maintenance' } };
  await expect(source.check(['+12025550100'])).rejects.toThrow();
  answers['Get'] = { status: 400, body: {} };
  await expect(source.check(['+12025550100'])).rejects.toThrow(/answered 400/);
});
