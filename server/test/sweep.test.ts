import { beforeAll, describe, expect, test } from 'vitest';
import { companyRoles, endpoints, events, grantOf, type AnyEndpoint, type CompanyRole } from '#contract';
import { MISSING, request } from './example-request.ts';
import { aWorld, type TestPerson } from './world.ts';

/**
 * The sweep reads the contract and visits every endpoint. Nothing here names one: a new endpoint is swept by existing.
 */
const world = await aWorld({ demo: true });
let company: { id: number };
let stranger: { company: { id: number }; owner: TestPerson };
const people = new Map<CompanyRole, TestPerson>();
/** Where nobody is ever let do anything: one company and one person a role serve all endpoints. */
let refusing: { id: number };
const refused = new Map<CompanyRole, TestPerson>();

beforeAll(async () => {
  const founded = await world.company('Swept');
  company = founded.company;
  people.set('owner', founded.owner);
  for (const role of companyRoles) if (role !== 'owner') people.set(role, await world.person(company.id, role));
  stranger = await world.company('Stranger');
  const refuser = await world.company('Refusing');
  refusing = refuser.company;
  for (const role of companyRoles) refused.set(role, role === 'owner' ? refuser.owner : await world.person(refusing.id, role));
});

const shaped = (body: unknown) => expect(body).toMatchObject({ message: expect.any(String), errors: expect.anything(), status: expect.any(Number), code: expect.any(String), request_id: expect.any(String) });
/** Signing out ends the session the sweep stands on; its own test covers it. */
const endsSession = (e: AnyEndpoint) => ['logout', 'clearTokenSessions'].includes(e.name);

describe.each(endpoints.map((e) => [`${e.method} ${e.path}`, e] as const))('%s', (_, e) => {
  if (e.permission !== 'public') {
    test('without a session answers 401', async () => {
      const answer = await world.as(null).raw(request(e, company.id));
      expect(answer.status).toBe(401);
      expect(answer.body).toMatchObject({ message: 'Unauthenticated.' });
    });
  }

  if (e.permission !== 'public' && e.permission !== 'session') {
    test('lets each role in exactly as the matrix says', async () => {
      // A company of its own for those who may: the endpoint may well change or delete it. Who may not, changes nothing.
      const { company: own, owner } = await world.company('Swept alone');
      for (const role of companyRoles) {
        const mayDo = grantOf(role, e.permission as never) !== 'none';
        if (mayDo && endsSession(e)) continue;
        const alone = mayDo ? own : refusing;
        const person = !mayDo ? refused.get(role)! : role === 'owner' ? owner : await world.person(alone.id, role);
        const answer = await world.as(person).raw(request(e, alone.id));
        // An object nobody has is 404 for all who may ask; who may not ask about their company's objects cannot tell either.
        if (mayDo) expect([200, 201, 202, 204, 304, 400, 404, 409, 422, 412], `${role} → ${JSON.stringify(answer.body)}`).toContain(answer.status);
        else expect(e.company === 'object' ? [403, 404] : [403], `${role} → ${JSON.stringify(answer.body).slice(0, 300)}`).toContain(answer.status);
        if (answer.status === 403) expect(mayDo ? answer.body.code : 'role.forbidden').not.toBe(mayDo ? 'role.forbidden' : '');
      }
    });
  }

  if (e.company === 'path' || e.company === 'given' || e.company === 'object') {
    test('another company’s id answers like a missing one', async () => {
      const owner = people.get('owner')!;
      const foreign = await world.as(owner).raw(request(e, stranger.company.id));
      const missing = await world.as(owner).raw(request(e, MISSING - 1));
      if (e.permission === 'public') return;
      expect(foreign.status, JSON.stringify(foreign.body)).toBe(404);
      expect(missing.status).toBe(404);
      expect({ ...foreign.body, request_id: 0 }).toEqual({ ...missing.body, request_id: 0 });
    });
  }

  test('answers junk with a refusal in the documented shape, never with a 5xx', async () => {
    const owner = people.get('owner')!;
    const plain = request(e, company.id);
    const junk: unknown[] = [{}, [], { company_id: company.id, id: 'x', ids: 'x', name: { a: 1 }, message: 42, number: [], numbers: 'no', email: 'no', page: -1 }, '{"broken', Object.fromEntries(Object.keys((e.example.body ?? {}) as object).map((k) => [k, { $ne: null }]))];
    const urls = [plain.url, plain.url + (plain.url.includes('?') ? '&' : '?') + 'page=-1&perPage=x&sort=%00&filter=%5B1&include=nonsense&dir=sideways&search=%25%27%3B--'];
    for (const url of urls) for (const payload of e.method === 'GET' ? [undefined] : junk) {
      if (endsSession(e)) continue;
      const answer = await world.as(owner).raw({ method: e.method, url, ...(payload === undefined ? {} : typeof payload === 'string' ? { payload, headers: { 'content-type': 'application/json' } } : { payload: payload as object }) });
      expect(answer.status, `${JSON.stringify(payload)} → ${JSON.stringify(answer.body)?.slice(0, 400)}`).toBeLessThan(500);
      if (answer.status >= 400) shaped(answer.body);
    }
  });

  test('its example is complete and parses against its own contract', () => {
    const inPath = [...e.path.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!);
    for (const key of inPath) expect(e.example.params, `example.params.${key}`).toHaveProperty(key);
    if (inPath.length) expect(e.params.safeParse(e.example.params).success).toBe(true);
    if (e.example.body) expect(e.body.safeParse(e.example.body)).toMatchObject({ success: true });
    if (e.example.query) expect(e.query.safeParse(e.example.query)).toMatchObject({ success: true });
  });
});

test('every event touches endpoints that exist', () => {
  const names = new Set(endpoints.map((e) => e.name));
  expect(events.flatMap((e) => e.touches.filter((t) => !names.has(t)).map((t) => `${e.name} → ${t}`))).toEqual([]);
});

test('every endpoint is visited under a permission the matrix knows', () => {
  expect(new Set(endpoints.map((e) => e.name)).size).toBe(endpoints.length);
  expect(new Set(endpoints.map((e) => `${e.method} ${e.path.replace(/\{\w+\}/g, '{}')}`)).size).toBe(endpoints.length);
});
