import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { audit as contract, companies, exporting } from '#contract';
import type { AuditAction } from '#contract/settings/audit/actions';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
await owner.connect();
owner.on('error', () => {});
afterAll(() => owner.end());

const list = async (who: TestPerson, query: object = {}) =>
  (
    await app
      .as(who)
      .request(contract.listAuditLog, { params: { companyId: who.companyId }, query })
  ).body;

/** Writes rows as the product does, at a time. */
async function write(
  companyId: number,
  actor: number | null,
  action: AuditAction,
  at = app.clock.value,
  subject = `company:${companyId}`,
) {
  return app.services.db.systemTransaction((tx) =>
    tx
      .insertInto('audit_log')
      .values({
        ...{ company_id: companyId, actor_id: actor, action, subject, at },
        actor_kind: actor ? 'user' : 'system',
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
}

describe('the audit log', () => {
  test('shows who changed what, with the values before and after and where from', async () => {
    const { company, owner: ann } = await app.createCompany('Harbor Dental');
    await app.as(ann).request(companies.updateCompany, {
      params: { id: company.id },
      body: { industry: 'technology' },
      headers: { 'user-agent': 'Browser/1' },
    });
    const [entry] = (await list(ann)).data;
    expect(entry).toMatchObject({
      action: 'company.updated',
      sentence: 'changed the company',
      group: 'settings',
      actor: { kind: 'user', id: ann.id },
      ip: '127.0.0.1',
    });
    const { body } = await app.as(ann).request(contract.getAuditEntry, {
      params: { companyId: company.id, entryId: entry!.id },
    });
    expect(body.data).toMatchObject({ user_agent: 'Browser/1', after: expect.anything() });
    expect(JSON.stringify(body.data.after)).toContain('technology');
  });

  test('owners and administrators see all rows, billing those about money, users their own', async () => {
    const { company, owner: ann } = await app.createCompany();
    const admin = await app.createPerson(company.id, 'administrator');
    const billing = await app.createPerson(company.id, 'billing');
    const user = await app.createPerson(company.id, 'user');
    const reporting = await app.createPerson(company.id, 'reporting');
    const paid = await write(company.id, ann.id, 'number.purchased');
    const own = await write(company.id, user.id, 'contact.deleted');
    const other = await write(company.id, ann.id, 'user.updated');
    const ids = async (who: TestPerson, query?: object) =>
      (await list(who, query)).data.map(({ id }) => id).sort();
    const all = [paid.id, own.id, other.id].sort();
    expect(await ids(ann)).toEqual(all);
    expect(await ids(admin)).toEqual(all);
    expect(await ids(billing)).toEqual([paid.id]);
    expect(await ids(user)).toEqual([own.id]);
    expect(await ids(user, { userId: ann.id })).toEqual([]);
    expect(await ids(billing, { group: 'access' })).toEqual([]);
    const get = (who: TestPerson, entryId: number) =>
      app
        .as(who)
        .request(contract.getAuditEntry, { params: { companyId: company.id, entryId } })
        .then(({ status }) => status);
    expect(await get(user, own.id)).toBe(200);
    expect(await get(user, other.id)).toBe(404);
    expect(await get(billing, other.id)).toBe(404);
    expect(await get(reporting, own.id)).toBe(403);
    const { owner: foreign } = await app.createCompany();
    expect((await list(foreign)).data).toEqual([]);
  });

  test('filters by person, group, subject, time and text', async () => {
    const { company, owner: ann } = await app.createCompany();
    const bob = await app.createPerson(company.id, 'administrator');
    const day = (n: number) => new Date(Date.UTC(2026, 0, n));
    await write(company.id, ann.id, 'user.updated', day(1), `user:${bob.id}`);
    await write(company.id, bob.id, 'contact.deleted', day(2), 'contact:5');
    await write(company.id, bob.id, 'number.purchased', day(3), 'number:7');
    const actions = async (query: object) =>
      (await list(ann, query)).data.map(({ action }) => action);
    expect(await actions({ userId: bob.id })).toEqual(['number.purchased', 'contact.deleted']);
    expect(await actions({ group: 'access' })).toEqual(['user.updated']);
    expect(await actions({ subject: 'contact:5' })).toEqual(['contact.deleted']);
    expect(await actions({ from: day(2).toISOString(), to: day(3).toISOString() })).toEqual([
      'contact.deleted',
    ]);
    expect(await actions({ search: 'Bought a number' })).toEqual(['number.purchased']);
    expect(await actions({ search: '%' })).toEqual([]);
    expect((await list(ann, { subject: `user:${bob.id}` })).data[0]?.subject_name).toBe(
      'administrator ' + bob.email.match(/\d+/)![0],
    );
  });

  test('pages by a cursor neither repeat nor skip rows, also within one millisecond', async () => {
    const { company, owner: ann } = await app.createCompany();
    const at = new Date();
    const written: number[] = [];
    for (let n = 0; n < 7; n++)
      written.push((await write(company.id, ann.id, 'user.updated', at)).id);
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(ann, {
        perPage: 3,
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...page.data.map(({ id }) => id));
      cursor = (page.meta as { next_cursor?: string | null }).next_cursor ?? null;
    } while (cursor);
    expect(seen).toEqual(written.toReversed());
  });

  test('is exported with the values, only what the person may see', async () => {
    const { company, owner: ann } = await app.createCompany();
    const user = await app.createPerson(company.id, 'user');
    await write(company.id, ann.id, 'user.updated');
    await write(company.id, user.id, 'contact.deleted');
    const read = async (who: TestPerson, format: 'csv' | 'jsonl') => {
      const { status, body } = await app.as(who).request(contract.exportAuditLog, {
        params: { companyId: company.id },
        body: { format },
      });
      expect(status).toBe(202);
      await app.drainJobs();
      const done = await app.as(who).request(exporting.exportProgress, {
        params: { batchId: body.data.batchId },
        query: { companyId: company.id },
      });
      const raw = await app.server.inject({
        method: 'GET',
        url: done.body.data.resultUrl!,
        headers: { authorization: `Bearer ${who.token}` },
      });
      const bytes = raw.rawPayload;
      return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
    };
    const csv = await read(ann, 'csv');
    expect(csv.split('\r\n')[0]).toContain('When,Who,User ID,What,Action');
    expect(csv).toContain('user.updated');
    const lines = (await read(user, 'jsonl')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual([
      'contact.deleted',
    ]);
    expect((await list(ann, { action: 'export-audit-log.begun' })).data).toHaveLength(2);
  });

  test('hostile filters are refused at their field', async () => {
    const { owner: ann } = await app.createCompany();
    for (const query of [
      { from: 'yesterday' },
      { group: 'x' },
      { cursor: 'junk-1' },
      { from: '2026-02-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
    ]) {
      const { status } = await app.as(ann).request(contract.listAuditLog, {
        params: { companyId: ann.companyId },
        query: query as object,
      });
      expect(status).toBe(422);
    }
  });

  test('open lists are told of a new entry', async () => {
    const { company, owner: ann } = await app.createCompany();
    await app.as(ann).request(companies.updateCompany, {
      params: { id: company.id },
      body: { industry: 'technology' },
    });
    const { rows } = await sql<{ n: number }>`select count(*)::int n from outbox
      where company_id = ${company.id} and event = ${contract.auditRecorded.name}`.execute(
      app.services.db.unscoped,
    );
    expect(rows[0]!.n).toBeGreaterThan(0);
  });
});

describe('append-only', () => {
  test('neither role of the application can change or delete a row', async () => {
    const { company, owner: ann } = await app.createCompany();
    await write(company.id, ann.id, 'user.updated', new Date('2020-01-01'));
    const { db } = app.services;
    const refused = /permission denied for table audit_log/;
    for (const run of [
      (work: Parameters<typeof db.systemTransaction>[0]) => db.systemTransaction(work),
      (work: Parameters<typeof db.systemTransaction>[0]) =>
        db.transaction({ companyId: company.id }, work),
    ]) {
      await expect(run((tx) => sql`update audit_log set action = 'x'`.execute(tx))).rejects.toThrow(
        refused,
      );
      await expect(run((tx) => sql`delete from audit_log`.execute(tx))).rejects.toThrow(refused);
      await expect(run((tx) => sql`truncate audit_log`.execute(tx))).rejects.toThrow(refused);
    }
    await expect(
      db.transaction({ companyId: company.id }, (tx) =>
        sql`select delete_old_audit_rows(now(), 10)`.execute(tx),
      ),
    ).rejects.toThrow(/permission denied for function/);
  });

  test('the retention job removes old entries, and the function never a young one', async () => {
    const { company, owner: ann } = await app.createCompany();
    const ago = (days: number) => new Date(app.clock.value.getTime() - days * 86_400_000);
    await write(company.id, ann.id, 'user.updated', ago(731));
    const kept = await write(company.id, ann.id, 'user.updated', ago(729));
    const young = await write(company.id, ann.id, 'user.updated', ago(80));
    await sql`select enqueue_job('audit.deleteOld', '{}'::json, null, null, 1, null, null)`.execute(
      app.services.db.unscoped,
    );
    await app.drainJobs();
    expect((await list(ann)).data.map(({ id }) => id)).toEqual([young.id, kept.id]);
    // Even asked to remove everything, the function keeps ninety days.
    await sql`select delete_old_audit_rows(now() + interval '1 day', 1000)`.execute(
      app.services.db.unscoped,
    );
    expect((await list(ann)).data.map(({ id }) => id)).toEqual([young.id]);
  });
});
