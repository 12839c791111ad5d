import { fields as contract, presets as presetContract } from '#contract';
import { defineRoutes, mergeRoutes } from '../../platform/routes.ts';
import { deleteField } from './definitions/delete-field.ts';
import {
  fieldCountStats,
  fieldHistory,
  listFieldEntities,
  listFieldOverrides,
  listFields,
} from './definitions/list-fields.ts';
import { deleteFieldOverride, overrideField } from './definitions/override-field.ts';
import { createField, updateField } from './definitions/save-field.ts';
import {
  createColumnPreset,
  deleteColumnPreset,
  getColumnPreset,
  listColumnPresets,
  updateColumnPreset,
} from './presets/column-presets.ts';
import { createTags, deleteTags, updateTags } from './tags/change-tags.ts';
import { listTags } from './tags/list-tags.ts';

export const routes = mergeRoutes(
  defineRoutes(contract, {
    listFieldEntities: (ctx) => listFieldEntities(ctx),
    listFields: (ctx, { query }) => listFields(ctx, query),
    fieldCountStats: (ctx, { params }) => fieldCountStats(ctx, params.id),
    fieldHistory: (ctx, { params }) => fieldHistory(ctx, params.id),
    createField: (ctx, { params, body }) => createField(ctx, params.type, body),
    updateField: (ctx, { params, body }) => updateField(ctx, params.type, params.id, body),
    deleteField: (ctx, { params }) => deleteField(ctx, params.id),
    listFieldOverrides: (ctx, { params }) => listFieldOverrides(ctx, params.id),
    overrideField: (ctx, { params, body }) => overrideField(ctx, params.id, body),
    deleteFieldOverride: (ctx, { params, body }) =>
      deleteFieldOverride(ctx, params.id, params.overrideId, body.replacements ?? []),
    listTags: (ctx, { query }) => listTags(ctx, query),
    createTags: (ctx, { body }) => createTags(ctx, body),
    updateTags: (ctx, { body }) => updateTags(ctx, body),
    deleteTags: (ctx, { query, body }) =>
      deleteTags(
        ctx,
        [...(query.ids ?? []), ...(body.ids ?? [])],
        query.businessUnitId ?? body.businessUnitId,
      ),
  }),
  defineRoutes(presetContract, {
    listColumnPresets: (ctx, { query }) => listColumnPresets(ctx, query),
    createColumnPreset: (ctx, { body }) => createColumnPreset(ctx, body),
    getColumnPreset: (ctx, { params }) => getColumnPreset(ctx, params.id),
    updateColumnPreset: (ctx, { params, body }) => updateColumnPreset(ctx, params.id, body),
    deleteColumnPreset: (ctx, { params }) => deleteColumnPreset(ctx, params.id),
  }),
);
