import pg from 'pg';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { contacts, identity } from '#contract';
import { createTestApp } from '../../test/support/test-app.ts';

const app = await createTestApp();
const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
await owner.connect();
owner.on('error', () => {});
afterAll(() => owner.end());

describe('a stored response of a request with an Idempotency-Key', () => {
  test('is returned in no other company, to no other person, and outside companies only to its sender', async () => {
    const [a, b] = [await app.createCompany(), await app.createCompany()];
    const other = await app.createPerson(a.company.id, 'administrator');
    const made = await app.as(a.owner).request(contacts.createContact, {
      body: { number: '+12125550161', name: 'Ann' },
      headers: { 'idempotency-key': 'wall' },
    });
    expect(made.status).toBe(201);
    const seen = async (scope: { companyId?: number; userId?: number }) =>
      app.services.db.transaction(scope, async (tx) =>
        Number(
          (
            await sql<{
              n: number;
            }>`select count(*) n from idempotency_key where key = 'wall'`.execute(tx)
          ).rows[0]!.n,
        ),
      );
    expect(await seen({ companyId: a.company.id, userId: a.owner.id })).toBe(1);
    expect(await seen({ companyId: b.company.id, userId: b.owner.id })).toBe(0);
    expect(await seen({ companyId: b.company.id, userId: a.owner.id })).toBe(0);
    expect(await seen({ companyId: a.company.id, userId: other.id })).toBe(0);
    expect(await seen({ userId: a.owner.id })).toBe(0);
    expect(await seen({})).toBe(0);
  });

  test('cannot be read in the database, tokens least of all, and is repeated verbatim', async () => {
    const { owner: person } = await app.createCompany();
    const ask = () =>
      app.as(person).request(identity.createTokenSession, {
        body: { device_name: 'app' },
        headers: { 'idempotency-key': 'tokens' },
      });
    const first = await ask();
    expect(first.status).toBe(200);
    const { rows } = await owner.query<{ row: string }>(
      `select k::text row from idempotency_key k where key = 'tokens'`,
    );
    expect(rows).toHaveLength(1);
    for (const word of [
      first.body.token.access_token,
      first.body.token.refresh_token,
      'access_token',
      'data',
    ])
      expect(rows[0]!.row).not.toContain(word);
    const again = await ask();
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(
      (
        await app.as(person).request(identity.createTokenSession, {
          body: { device_name: 'another' },
          headers: { 'idempotency-key': 'tokens' },
        })
      ).status,
    ).toBe(422);
  });

  test('belongs to the person: the same key of a colleague creates a second object', async () => {
    const { company, owner: person } = await app.createCompany();
    const colleague = await app.createPerson(company.id, 'administrator');
    const make = (who: typeof person, number: string) =>
      app.as(who).request(contacts.createContact, {
        body: { number, name: 'Bo' },
        headers: { 'idempotency-key': 'own' },
      });
    expect((await make(person, '+12125550162')).headers['idempotency-replayed']).toBeUndefined();
    expect((await make(colleague, '+12125550163')).headers['idempotency-replayed']).toBeUndefined();
    expect((await make(person, '+12125550162')).headers['idempotency-replayed']).toBe('true');
  });
});
