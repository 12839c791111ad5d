import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  endpoints,
  grantOf,
  type DescribedEndpoint,
  type EffectiveRole,
  type PermissionKey,
} from '#contract';
import type { Handler, HandlerInput, Http } from '../src/platform/routes.ts';
import { modules } from '../src/modules/all.ts';
import { accessIn } from '../src/platform/access.ts';
import { createCtx, type Actor } from '../src/platform/context.ts';
import { ApiError } from '../src/platform/errors.ts';
import { createFixtures, permittedPerson } from './support/fixtures.ts';
import {
  crossTenantFaults,
  crossTenantProbes,
  requestOf,
  writtenCompanies,
} from './support/cross-tenant-probes.ts';
import { nonexistentIdLike, type EndpointRequest } from './support/endpoint-requests.ts';

/**
 * Two layers isolate companies: the dispatch's check and row-level security. Each holds with the
 * other disabled, shown with real objects of two companies. That no table is outside is in
 * `database-catalogue.test.ts`.
 */
const fixtures = await createFixtures();
const { app, a, b, snapshot } = fixtures;
const { db } = app.services;
const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
owner.on('error', () => {});
beforeAll(() => owner.connect());
afterAll(() => owner.end());
const tenantEndpoints = endpoints.filter(
  (e) => e.permission !== 'public' && e.permission !== 'session',
);

/** A request as a handler receives it; null where its schema refuses it already. */
function parsed(
  e: DescribedEndpoint,
  asked: EndpointRequest,
): HandlerInput<DescribedEndpoint> | null {
  const [params, query, body] = [
    e.params.safeParse(asked.params),
    e.query.safeParse(asked.query),
    e.body.safeParse(asked.body ?? {}),
  ];
  return params.success && query.success && body.success
    ? { params: params.data, query: query.data, body: body.data }
    : null;
}

describe('row-level security alone', () => {
  test('no statement of one company’s transaction reads, changes or deletes a row of another, whatever it requests', async () => {
    const { rows: tables } = await owner.query<{ name: string }>(`
      select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute k on k.attrelid = c.oid and k.attname = 'company_id' and not k.attisdropped
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
        and has_table_privilege('trunkline_app', c.oid, 'select') order by 1`);
    const seen: string[] = [];
    let filled = 0;
    for (const { name } of tables) {
      const {
        rows: [counted],
      } = await owner.query<{ n: number }>(
        `select count(*)::int as n from "${name}" where company_id = $1`,
        [b.id],
      );
      if (counted?.n) filled++;
      // Each statement in its own transaction, so that one that isn't allowed at all doesn't hide
      // the next.
      for (const statement of [
        `select 1 from "${name}" where company_id = ${b.id}`,
        `update "${name}" set company_id = company_id where company_id = ${b.id} returning 1`,
        `delete from "${name}" where company_id = ${b.id} returning 1`,
      ]) {
        const found = await db
          .transaction(
            { companyId: a.id },
            async (tx) => (await sql.raw(statement).execute(tx)).rows.length,
          )
          .catch((error: Error) => (/permission denied/.test(error.message) ? 0 : error.message));
        if (found !== 0) seen.push(`${statement} → ${found}`);
      }
    }
    expect(seen).toEqual([]);
    // Real rows were visible.
    expect(filled).toBeGreaterThan(60);
  });

  test('without the dispatch’s check, no handler finds or changes anything of another company by its ID', async () => {
    const verbs = new Map<string, Handler>();
    for (const { routes } of modules)
      for (const [endpoint, verb] of routes?.byName ?? []) verbs.set(endpoint, verb);
    const actorOf = (role: EffectiveRole): Actor => ({
      kind: 'user',
      userId: a.people.owner.id,
      name: 'Owner',
      email: a.people.owner.email,
      sessionId: 0,
      staff: false,
      adminMode: false,
      memberships: [accessIn({ companyId: a.id, roles: [role], numberIds: [], switches: {} })],
    });
    const wrong: string[] = [];
    let asked = 0;
    for (const e of tenantEndpoints) {
      const verb = verbs.get(e.name);
      if (!verb) {
        wrong.push(`${e.name} has no verb`);
        continue;
      }
      const person = permittedPerson(a, e);
      const role = person === a.people.owner ? 'owner' : 'org-administrator';
      const run = async (read: HandlerInput<DescribedEndpoint>): Promise<unknown> => {
        const ctx = createCtx(
          app.services,
          {
            companyId: a.id,
            actor: actorOf(role),
            roles: [role],
            grant: grantOf(role, e.permission as PermissionKey),
            numbers: null,
            requestId: 'test',
          },
          app.notifier,
        );
        const http = { files: [], ip: '127.0.0.1' } as unknown as Http;
        if ('readOnly' in verb) return ctx.readOnly((t) => verb.readOnly(t, read, http));
        return typeof verb === 'function'
          ? ctx.transaction((t) => verb(t, read, http))
          : verb.withoutTransaction(ctx, read, http);
      };
      for (const {
        description: what,
        location: where,
        foreignId: theirs,
        setForeignId: put,
      } of crossTenantProbes(fixtures, e).filter((one) => one.description !== 'the company')) {
        const outcomes: string[] = [];
        for (const id of [theirs, nonexistentIdLike(theirs)]) {
          const read = parsed(e, put(await requestOf(fixtures, e, person), id));
          if (read) {
            asked++;
            const mark = await snapshot.mark();
            outcomes.push(
              await run(read).then(
                (answer) => `done ${JSON.stringify(answer)}`,
                (error: unknown) =>
                  error instanceof ApiError ? `refused ${error.code}` : String(error),
              ),
            );
            const touched = (await writtenCompanies(fixtures, mark)).filter(
              (w) => w.companyId === b.id,
            );
            if (touched.length)
              wrong.push(`${e.name} ${what}: wrote ${touched.map((w) => w.table).join(', ')}`);
          }
          await snapshot.restore();
        }
        const [foreign, missing] = outcomes;
        if (where === 'params' && foreign?.startsWith('done') && foreign !== missing)
          wrong.push(`${e.name} ${what}: ${foreign}`);
        if (
          foreign !== undefined &&
          !/^(done|refused) |foreign key|row-level security/.test(foreign)
        )
          wrong.push(`${e.name} ${what}: ${foreign}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(asked).toBeGreaterThan(200);
  }, 240_000);
});

describe('the dispatch and the stores alone', () => {
  test('with row-level security off, another company’s objects are still treated as missing, and nothing is written', async () => {
    const { rows: tables } = await owner.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'public' and c.relrowsecurity`,
    );
    for (const { name } of tables)
      await owner.query(`alter table "${name}" disable row level security`);
    try {
      const wrong: string[] = [];
      for (const e of tenantEndpoints)
        wrong.push(
          ...((await crossTenantFaults(fixtures, e)) ?? []).map((fault) => `${e.name} ${fault}`),
        );
      expect(wrong).toEqual([]);
    } finally {
      for (const { name } of tables)
        await owner.query(`alter table "${name}" enable row level security`);
    }
  }, 240_000);
});
