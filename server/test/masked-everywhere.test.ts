import { io } from 'socket.io-client';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { conversations, endpoints, grantOf, isAboutCompany, type CompanyRole } from '#contract';
import { queueMail, listOutboxMails } from '../src/platform/mail.ts';
import { systemCtx } from '../src/platform/context.ts';
import { exampleRequest } from './support/endpoint-requests.ts';
import { requestOf, sendRequest } from './support/cross-tenant-probes.ts';
import { createFixtures } from './support/fixtures.ts';
import type { TestPerson } from './support/test-app.ts';

/**
 * "Hide contact details from users" hides them everywhere: each read of the contract, live events,
 * pushes and mails are searched for any number or email of the people a company deals with.
 */
const fixtures = await createFixtures();
const { app, a } = fixtures;
const { owner, user, reporting } = a.people;
const party = '+12127773391';

let secrets: { numbers: string[]; emails: string[] };
beforeAll(async () => {
  await app.services.db.systemTransaction(async (tx) => {
    await sql`update company set settings = settings
      || '{"mask_contact_details_for_users": true}' where id = ${a.id}`.execute(tx);
    const { rows } = await sql<{ n: string }>`
      select party n from conversation where company_id = ${a.id}
      union select number from contact where company_id = ${a.id}
      union select number from contact_number where company_id = ${a.id}
      union select party from call where company_id = ${a.id}
      except select number from number where company_id = ${a.id}
      except select phone from forward_contact where company_id = ${a.id}`.execute(tx);
    const numbers = rows.map((row) => row.n.replace(/\D/g, '')).filter((n) => n.length >= 11);
    secrets = { numbers, emails: ['dana@example.com'] };
  });
  expect(secrets.numbers.length).toBeGreaterThan(4);
});

/** Full numbers and emails of others in an answer, however they are written. */
function leaksIn(body: unknown): string[] {
  const text = JSON.stringify(body) ?? '';
  const digits = text.replace(/(?<=\d)[\s().-]+(?=\d)/g, '');
  return [
    ...secrets.numbers.filter((n) => digits.includes(n.slice(1))),
    ...secrets.emails.filter((one) => text.includes(one)),
  ];
}

// Signing out is a GET that changes state.
const reads = endpoints.filter(
  (e) =>
    (e.method === 'GET' || e.reads) &&
    e.name !== 'logout' &&
    e.permission !== 'public' &&
    !e.binary &&
    e.status !== 302,
);
async function answers(person: TestPerson, role: CompanyRole) {
  const found: { name: string; leaks: string[] }[] = [];
  for (const e of reads) {
    const { permission } = e;
    if (permission !== 'session' && permission !== 'public' && grantOf([role], permission) === 'none')
      continue;
    const asked = e.method === 'GET' ? exampleRequest(e, a.ids) : await requestOf(fixtures, e, person);
    const answer = await sendRequest(app, e, person, asked);
    expect(answer.status, `${e.name}: ${JSON.stringify(answer.body)}`).toBeLessThan(500);
    if (answer.status < 300) found.push({ name: e.name, leaks: leaksIn(answer.body) });
  }
  return found;
}

test('no read of the contract shows a masked person a number or email of others', async () => {
  const ofOwner = (await answers(owner, 'owner')).filter(({ leaks }) => leaks.length);
  expect(ofOwner.length).toBeGreaterThan(15);
  const ofUser = await answers(user, 'user');
  expect(ofUser.length).toBeGreaterThan(60);
  expect(ofUser.filter(({ leaks }) => leaks.length)).toEqual([]);
});

test('reporting sees callers’ numbers, which reports need, and no emails (A4 rule 6)', async () => {
  const found = (await answers(reporting, 'reporting')).flatMap(({ leaks }) => leaks);
  expect(found.some((one) => secrets.numbers.includes(one))).toBe(true);
  expect(found.filter((one) => one.includes('@'))).toEqual([]);
});
