import { afterAll, beforeAll, expect, test } from 'vitest';
import { identity } from '#contract';
import { createTestApp, type TestPerson } from '../server/test/support/test-app.ts';
import type { Target } from './hostile/outcome.ts';
import { sendHostilePackets } from './hostile/send-packets.ts';
import { sendHostileRequests } from './hostile/send-requests.ts';

/**
 * A small version of `e2e/faults/fuzz.ts`, which runs at full size against the whole product.
 * `FUZZ_SIZE`: how many of each.
 */
const size = Number(process.env['FUZZ_SIZE'] ?? 400);
const seed = Number(process.env['FUZZ_SEED'] ?? 7);
// Requests forwarded to the exchange must not reach another installation on this machine.
const app = await createTestApp({ env: { RATE_USER_PER_MINUTE: '100000000', MEDIA_PORT: '9' } });
let target: Target;
let owner: TestPerson;
const uncaught: unknown[] = [];
const hear = (error: unknown) => {
  uncaught.push(error);
};
beforeAll(async () => {
  const founded = await app.createCompany('Fuzzed');
  owner = founded.owner;
  const url = await app.server.listen({ port: 0, host: '127.0.0.1' });
  target = { url, companyId: founded.company.id, token: async () => owner.token };
  process.on('uncaughtException', hear);
  process.on('unhandledRejection', hear);
});
afterAll(() => {
  process.off('uncaughtException', hear);
  process.off('unhandledRejection', hear);
});

test(`${size} hostile requests: none is an error of ours, none hangs, nothing reaches the process`, async () => {
  const outcome = await sendHostileRequests(target, size, seed);
  // The exchange doesn't run in this process; requests forwarded to it are answered here.
  const failures = outcome.failures.filter((one) => !/^503 \w+ \/(sandbox|media)\//.test(one));
  expect({ failures, hangs: outcome.hangs, uncaught }).toEqual({
    failures: [],
    hangs: [],
    uncaught: [],
  });
  expect(outcome.statuses['2xx']).toBeGreaterThan(size / 50);
  expect((await app.as(owner).request(identity.listTokenSessions, {})).status).toBe(200);
});

test(`${size} hostile packets: none hangs, nothing reaches the process`, async () => {
  const outcome = await sendHostilePackets(target, size, seed);
  expect({ failures: outcome.failures, hangs: outcome.hangs, uncaught }).toEqual({
    failures: [],
    hangs: [],
    uncaught: [],
  });
  expect((await app.as(owner).inject({ method: 'GET', url: '/livez' })).status).toBe(200);
});
