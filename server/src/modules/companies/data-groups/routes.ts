import { dataGroups as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import {
  attachToDataGroup,
  createDataGroup,
  deleteDataGroup,
  detachFromDataGroup,
  getDataGroup,
  listDataGroups,
  updateDataGroup,
} from './data-groups.ts';

export const routes = defineRoutes(contract, {
  listDataGroups: withoutTransaction((ctx, { query }) => listDataGroups(ctx, query)),
  createDataGroup: withoutTransaction((ctx, { body }) => createDataGroup(ctx, body)),
  getDataGroup: withoutTransaction((ctx, { params }) => getDataGroup(ctx, params.id)),
  updateDataGroup: withoutTransaction((ctx, { params, body }) =>
    updateDataGroup(ctx, params.id, body),
  ),
  deleteDataGroup: withoutTransaction((ctx, { params }) => deleteDataGroup(ctx, params.id)),
  attachToDataGroup: withoutTransaction((ctx, { params, body }) =>
    attachToDataGroup(ctx, params.id, body.entities),
  ),
  detachFromDataGroup: withoutTransaction((ctx, { params, body }) =>
    detachFromDataGroup(ctx, params.id, body.entities),
  ),
});
