import { platform as contract, type Answer } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { createPlatformCompany } from './create-company.ts';
import { companyPage, personPage } from './store.ts';

// The system role: platform staff see all companies and people.

type Person = Answer<typeof contract.listPlatformPeople>['data'][number];
const iso = (at: Date | null): string | null => at && new Date(at).toISOString();

export const routes = defineRoutes(contract, {
  listPlatformCompanies: withoutTransaction(async (ctx, { query }) => {
    const { rows, total } = await companyPage(ctx.db.unscoped, {
      search: query.search?.trim() ?? '',
      status: query.status ?? null,
      sort: query.sort ?? 'name',
      isDescending: query.dir === 'desc',
      limit: query.perPage,
      offset: (query.page - 1) * query.perPage,
    });
    return {
      rows: rows.map((row) => ({
        ...row,
        created_at: new Date(row.created_at).toISOString(),
        last_seen_at: iso(row.last_seen_at),
      })),
      total,
    };
  }),
  createPlatformCompany: withoutTransaction((ctx, { body }) => createPlatformCompany(ctx, body)),
  listPlatformPeople: withoutTransaction(async (ctx, { query }) => {
    const { rows, total } = await personPage(ctx.db.unscoped, {
      search: query.search?.trim() ?? '',
      companyId: query.company_id ?? null,
      limit: query.perPage,
      offset: (query.page - 1) * query.perPage,
    });
    return {
      rows: rows.map(({ first_name, last_name, ...row }) => ({
        ...row,
        name: `${first_name} ${last_name}`.trim(),
        companies: row.companies as Person['companies'],
        created_at: new Date(row.created_at).toISOString(),
        last_seen_at: iso(row.last_seen_at),
      })),
      total,
    };
  }),
});
