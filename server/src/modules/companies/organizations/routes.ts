import { organizations as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import {
  attachOrganizationCompany,
  detachOrganizationCompany,
  listOrganizationCompanies,
  updateAccountStatus,
} from './accounts.ts';
import { leaveOrganization } from './leave-organization.ts';
import {
  createOrganization,
  deleteOrganization,
  getAiEavFeatureStatus,
  getOrganization,
  listOrganizations,
  updateAiEavFeatureStatus,
  updateOrganization,
} from './organizations.ts';
import {
  addOrganizationAdmin,
  listOrganizationUsers,
  removeOrganizationAdmin,
  updateUserAccounts,
} from './people.ts';

export const routes = defineRoutes(contract, {
  listOrganizations: withoutTransaction((ctx, { query }) => listOrganizations(ctx, query)),
  createOrganization: withoutTransaction((ctx, { body }, http) =>
    createOrganization(ctx, body, http),
  ),
  getOrganization: withoutTransaction((ctx) => getOrganization(ctx)),
  updateOrganization: withoutTransaction((ctx, { body }) => updateOrganization(ctx, body)),
  deleteOrganization: withoutTransaction((ctx) => deleteOrganization(ctx)),
  listOrganizationCompanies: withoutTransaction((ctx, { query }) =>
    listOrganizationCompanies(ctx, query),
  ),
  attachOrganizationCompany: withoutTransaction((ctx, { body }, http) =>
    attachOrganizationCompany(ctx, body, http),
  ),
  leaveOrganization: withoutTransaction((ctx, { params }, http) =>
    leaveOrganization(ctx, params.companyId, http),
  ),
  detachOrganizationCompany: withoutTransaction((ctx, { params }) =>
    detachOrganizationCompany(ctx, params.companyId),
  ),
  updateAccountStatus: withoutTransaction((ctx, { body }) => updateAccountStatus(ctx, body)),
  listOrganizationUsers: withoutTransaction((ctx, { query }) => listOrganizationUsers(ctx, query)),
  addOrganizationAdmin: withoutTransaction((ctx, { body }) => addOrganizationAdmin(ctx, body)),
  removeOrganizationAdmin: withoutTransaction((ctx, { params }) =>
    removeOrganizationAdmin(ctx, params.userId),
  ),
  getAiEavFeatureStatus: withoutTransaction((ctx) => getAiEavFeatureStatus(ctx)),
  updateAiEavFeatureStatus: withoutTransaction((ctx, { body }) =>
    updateAiEavFeatureStatus(ctx, body),
  ),
  updateUserAccounts: withoutTransaction((ctx, { params, body }) =>
    updateUserAccounts(ctx, params.userId, body),
  ),
});
