import { settings as contract } from '#contract';
import { settingKeys, settingRules, type SettingRule } from '#contract/settings/rules';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { changesOf } from '../../companies/index.ts';
import { bulkUpdateSettings, changeSettings, restoreSettings } from './change-settings.ts';
import { settingOwner } from './owner.ts';
import { peopleNames, presentBy, presentSettings } from './present-settings.ts';

// The system role: runs before a company is chosen, or creates one.

export const routes = defineRoutes(contract, {
  getGeneralSettings: withoutTransaction(async (ctx, { query }) =>
    presentSettings(ctx, await settingOwner(ctx, query)),
  ),
  listGeneralSettings: () =>
    Promise.resolve({
      data: settingKeys.map((key) => {
        const rule: SettingRule = settingRules[key];
        const { group, label, help, type, options, min, max, scopes, role } = rule;
        return {
          ...{ key, group, label, help, type, default: rule.default },
          ...{ options: options ? [...options] : null, min: min ?? null, max: max ?? null },
          ...{ scopes: [...scopes], role },
        };
      }),
    }),
  updateGeneralSettings: withoutTransaction(async (ctx, { query, body }) => {
    const owner = await settingOwner(ctx, query);
    await changeSettings(ctx, owner, body);
    return presentSettings(ctx, owner);
  }),
  bulkUpdateGeneralSettings: withoutTransaction((ctx, { body }) => bulkUpdateSettings(ctx, body)),
  restoreGeneralSettings: withoutTransaction(async (ctx, { query, body }) => {
    const owner = await settingOwner(ctx, query);
    await restoreSettings(ctx, owner, body.keys);
    return presentSettings(ctx, owner);
  }),
  listSettingChanges: withoutTransaction(async (ctx, { query }) => {
    const { rows, total } = await changesOf(ctx.db.unscoped, await settingOwner(ctx, query), {
      key: query.key ?? null,
      limit: query.perPage,
      offset: (query.page - 1) * query.perPage,
    });
    const names = await peopleNames(
      ctx,
      rows.map((row) => row.by_id),
    );
    return {
      rows: rows.map(({ id, key, before, after, at, by_id }) => ({
        ...{ id, key, before, after },
        at: new Date(at).toISOString(),
        by: presentBy(by_id, names),
      })),
      total,
    };
  }),
});
