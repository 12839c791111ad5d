import { features as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { listCompanyFeatures, listOrganizationFeatures } from './list-features.ts';
import { setCompanyFeature, setOrganizationFeature } from './set-feature.ts';

export const routes = defineRoutes(contract, {
  listCompanyFeatures: withoutTransaction((ctx) => listCompanyFeatures(ctx)),
  setCompanyFeature: withoutTransaction((ctx, { params, body }) =>
    setCompanyFeature(ctx, params.featureName, body),
  ),
  listOrganizationFeatures: withoutTransaction((ctx) => listOrganizationFeatures(ctx)),
  setOrganizationFeature: withoutTransaction((ctx, { params, query, body }) =>
    setOrganizationFeature(ctx, params.featureName, body, query.companyIds),
  ),
});
