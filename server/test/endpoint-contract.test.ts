import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { companyRoles, endpoints, events, grantOf, type AnyEndpoint } from '#contract';
import { featureKey, featuresOfEndpoint } from '#contract/numbers/features/rules';
import { anonymousInputs, expectedRuleErrors, inputOverrides } from './support/endpoint-inputs.ts';
import { acceptsAnyId, foreignIdAllowed, slotBodies } from './support/endpoint-slots.ts';
import { createFixtures, permittedPerson, type FixtureRole } from './support/fixtures.ts';
import {
  sendRequest,
  crossTenantFaults,
  requestOf,
  writtenCompanies,
} from './support/cross-tenant-probes.ts';
import { exampleRequest, idSlotsOf, toHttpRequest } from './support/endpoint-requests.ts';
import type { TestResponse } from './support/test-app.ts';

/**
 * Reads the contract and calls every endpoint with IDs of real objects. A new endpoint is covered
 * automatically; what it needs beyond its example is in `endpoint-inputs.ts`. How many were really
 * exercised, and in which way, is counted.
 */
const fixtures = await createFixtures();
const { app, a, snapshot } = fixtures;

/** What was observed of an endpoint. A check that doesn't apply to it is null. */
interface Coverage {
  reached: boolean | null;
  byRule: boolean;
  refused: boolean | null;
  foreign: boolean | null;
}
const coverage = new Map<string, Coverage>();
const coverageOf = (e: AnyEndpoint): Coverage => {
  const found = coverage.get(e.name) ?? {
    reached: null,
    byRule: false,
    refused: null,
    foreign: null,
  };
  coverage.set(e.name, found);
  return found;
};

const responseSummary = (answer: TestResponse<unknown>) =>
  `${answer.status} ${JSON.stringify(answer.body)?.slice(0, 400)}`;
const codeOf = (answer: TestResponse<unknown>) => (answer.body as { code?: string } | null)?.code;
const isDocumented = (answer: TestResponse<unknown>, what: string) =>
  expect(answer.body, what).toMatchObject({
    message: expect.any(String),
    errors: expect.anything(),
    status: answer.status,
    code: expect.any(String),
    request_id: expect.any(String),
  });

describe.each(endpoints.map((e) => [`${e.method} ${e.path}`, e] as const))('%s', (_, e) => {
  const needsRole = e.permission !== 'public' && e.permission !== 'session';
  const mayAsk = (role: FixtureRole) =>
    needsRole ? grantOf(role, e.permission) !== 'none' : role === 'owner';
  // The organization's administrator, where no role of a company may.
  const roles: readonly FixtureRole[] = companyRoles.some(mayAsk)
    ? companyRoles
    : [...companyRoles, 'org-administrator'];

  if (e.permission !== 'public') {
    test('without a session responds 401', async () => {
      const answer = await sendRequest(app, e, null, exampleRequest(e, a.ids));
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ message: 'Unauthenticated.' });
    });
  }

  test('succeeds for every role that is permitted', async () => {
    const rule = expectedRuleErrors[e.name];
    const its = coverageOf(e);
    its.reached = true;
    for (const role of e.permission === 'public' ? ([null] as const) : roles.filter(mayAsk)) {
      const person = role && (e.audience === 'caddy' ? a.individual : a.people[role]);
      const asked = person
        ? await requestOf(fixtures, e, person)
        : { ...exampleRequest(e, a.ids), ...(await anonymousInputs[e.name]?.({ world: app, a })) };
      const answer = await sendRequest(app, e, person, asked);
      await snapshot.restore();
      if (rule) {
        expect(
          [answer.status >= 400 && answer.status < 500, codeOf(answer)],
          `${role} → ${responseSummary(answer)}`,
        ).toEqual([true, rule.code]);
        its.reached = false;
        its.byRule = true;
        continue;
      }
      const redirects = e.status === 302 && answer.status === 302;
      if (answer.status >= 300 && !redirects) its.reached = false;
      expect(its.reached, `${role} → ${responseSummary(answer)}`).toBe(true);
      if (!e.binary && !redirects && e.status !== 204)
        expect(e.answer.safeParse(answer.body), `${role}`).toMatchObject({ success: true });
    }
  });

  test.each(featuresOfEndpoint(e.name))('is refused while %s is off', async (feature) => {
    const person = permittedPerson(a, e);
    const asked = await requestOf(fixtures, e, person);
    await app.services.db.pool.query(
      'update company set settings = settings || jsonb_build_object($1::text, false) where id = $2',
      [featureKey(feature), a.id],
    );
    const answer = await sendRequest(app, e, person, asked);
    await snapshot.restore();
    expect([answer.status, codeOf(answer)], responseSummary(answer)).toEqual([403, 'feature.off']);
  });

  if (needsRole) {
    test('refuses every other role, and does nothing', async () => {
      const its = coverageOf(e);
      const others = companyRoles.filter((role) => !mayAsk(role));
      if (!others.length) return;
      its.refused = true;
      const asked = exampleRequest(e, a.ids);
      const mark = await snapshot.mark();
      for (const role of others) {
        const answer = await sendRequest(app, e, a.people[role], asked);
        if (answer.status !== 403) its.refused = false;
        expect([answer.status, codeOf(answer)], `${role} → ${responseSummary(answer)}`).toEqual([
          403,
          'role.forbidden',
        ]);
      }
      expect(await writtenCompanies(fixtures, mark)).toEqual([]);
      await snapshot.restore();
    });
  }

  // Also where only the person is known: IDs of the other company's owner are another person's.
  if (e.permission !== 'public') {
    test('responds to another company’s objects as to missing ones, and writes nothing', async () => {
      const faults = await crossTenantFaults(fixtures, e);
      if (faults === null) return;
      coverageOf(e).foreign = faults.length === 0;
      expect(faults).toEqual([]);
    });
  }

  test('responds to junk with a documented error, never with a 5xx', async () => {
    const plain = toHttpRequest(e, exampleRequest(e, a.ids)) as { url: string };
    const junk: unknown[] =
      e.method === 'GET'
        ? [undefined]
        : [
            {},
            [],
            {
              company_id: a.id,
              id: 'x',
              ids: 'x',
              name: { a: 1 },
              message: 42,
              number: [],
              numbers: 'no',
              email: 'no',
              page: -1,
            },
            '{"broken',
            Object.fromEntries(
              Object.keys((e.example.body ?? {}) as object).map((key) => [key, { $ne: null }]),
            ),
          ];
    for (const url of [
      plain.url,
      `${plain.url}${plain.url.includes('?') ? '&' : '?'}page=-1&perPage=x&sort=%00&filter=%5B1&include=nonsense&dir=sideways&search=%25%27%3B--`,
    ]) {
      for (const payload of junk) {
        const body =
          payload === undefined
            ? {}
            : typeof payload === 'string'
              ? { payload, headers: { 'content-type': 'application/json' } }
              : { payload: payload as object };
        const answer = await app
          .as(permittedPerson(a, e))
          .inject({ method: e.method, url, ...body });
        expect(
          answer.status,
          `${JSON.stringify(payload)} → ${responseSummary(answer)}`,
        ).toBeLessThan(500);
        if (answer.status >= 400) isDocumented(answer, JSON.stringify(payload));
      }
    }
    await snapshot.restore();
  });

  test('its example is complete and parses against its own contract', () => {
    const inPath = [...e.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!);
    for (const key of inPath) expect(e.example.params, `example.params.${key}`).toHaveProperty(key);
    if (inPath.length) expect(e.params.safeParse(e.example.params).success).toBe(true);
    if (e.example.body) expect(e.body.safeParse(e.example.body)).toMatchObject({ success: true });
    if (e.example.query)
      expect(e.query.safeParse(e.example.query)).toMatchObject({ success: true });
  });
});

test('every event invalidates endpoints that exist', () => {
  const names = new Set(endpoints.map((e) => e.name));
  expect(
    events.flatMap((e) =>
      e.invalidates.filter((t) => !names.has(t)).map((t) => `${e.name} → ${t}`),
    ),
  ).toEqual([]);
});

test('no two endpoints share a name or an address', () => {
  expect(new Set(endpoints.map((e) => e.name)).size).toBe(endpoints.length);
  expect(
    new Set(endpoints.map((e) => `${e.method} ${e.path.replace(/\{\w+\}/g, '{}')}`)).size,
  ).toBe(endpoints.length);
});

test('the lists about endpoints and their fields name existing ones', () => {
  const names = new Set(endpoints.map((e) => e.name));
  const slots = new Set(
    endpoints.flatMap((e) =>
      idSlotsOf(e).map((slot) => `${e.name}.${slot.where}.${slot.path.join('.')}`),
    ),
  );
  expect(
    [
      ...Object.keys(inputOverrides),
      ...Object.keys(expectedRuleErrors),
      ...Object.keys(anonymousInputs),
    ].filter((name) => !names.has(name)),
  ).toEqual([]);
  expect(
    [...Object.keys(slotBodies), ...Object.keys(acceptsAnyId), ...foreignIdAllowed].filter(
      (slot) => !slots.has(slot),
    ),
  ).toEqual([]);
});

test.each(Object.entries(expectedRuleErrors))(
  '%s is shown to succeed by the test that its exception names',
  (name, { shownBy }) => {
    const file = join(import.meta.dirname, '../src/modules', `${shownBy}.test.ts`);
    const { path } = endpoints.find((e) => e.name === name)!;
    const text = readFileSync(file, 'utf8');
    expect(text.includes(name) || text.includes(path), file).toBe(true);
  },
);

test('nearly every endpoint was really exercised in each way', () => {
  const count = (way: 'reached' | 'refused' | 'foreign') => {
    const applies = [...coverage.values()].map((one) => one[way]).filter((one) => one !== null);
    return { yes: applies.filter(Boolean).length, of: applies.length };
  };
  const [reached, refused, foreign] = [count('reached'), count('refused'), count('foreign')];
  const byRule = [...coverage.values()].filter((one) => one.byRule).length;
  process.stdout.write(
    `endpoints: ${endpoints.length}; reached 2xx: ${reached.yes} of ${reached.of}; refused 403: ${refused.yes} of ${refused.of}; foreign 404: ${foreign.yes} of ${foreign.of}; business refusal only: ${byRule}\n`,
  );
  if (coverage.size < endpoints.length) return; // Only some were run.
  for (const { yes, of } of [reached, refused, foreign])
    expect(yes / of).toBeGreaterThanOrEqual(0.95);
});

afterAll(() => snapshot.restore());
