import { adf, ga4, integrations, oauthIntegrations, slack, webhooks } from '#contract';
import { defineRoutes, mergeRoutes, withoutTransaction } from '../../platform/routes.ts';
import { getAccount, listAccounts } from './accounts/list-accounts.ts';
import { lookUp } from './accounts/look-up.ts';
import { removeAccount } from './accounts/remove-account.ts';
import { activateAccount, deactivateAccount, updateAccount } from './accounts/set-account.ts';
import { syncAccount, syncProgress } from './accounts/sync-account.ts';
import { createAdf, deactivateAdf, listAdf, updateAdf } from './adf/manage-adf.ts';
import { removeDestination } from './change-destination.ts';
import { dryRun } from './deliveries/dry-run.ts';
import { explainCall } from './deliveries/explain-call.ts';
import { createGa4, getGa4, listGa4, updateGa4 } from './ga4/manage-ga4.ts';
import { configureSlack, listChannels } from './slack/configure-slack.ts';
import {
  getDelivery,
  listDeliveries,
  replayDeliveries,
  replayDelivery,
} from './deliveries/replay.ts';
import { createWebhook, listWebhooks, updateWebhook } from './webhooks/manage-webhooks.ts';
import { rotateSecret } from './webhooks/rotate-secret.ts';
import { testWebhook } from './webhooks/test-webhook.ts';

export const routes = mergeRoutes(
  defineRoutes(integrations, {
    listDeliveries: (ctx, { params, query }) => listDeliveries(ctx, params.destinationId, query),
    getDelivery: (ctx, { params }) => getDelivery(ctx, params.deliveryId),
    replayDeliveries: (ctx, { params, body }) => replayDeliveries(ctx, params.destinationId, body),
    replayDelivery: (ctx, { params }) => replayDelivery(ctx, params.deliveryId),
    listCallDeliveries: (ctx, { params }) => explainCall(ctx, params.callId),
    dryRunDestination: withoutTransaction((ctx, { params }) => dryRun(ctx, params.destinationId)),
  }),
  defineRoutes(oauthIntegrations, {
    listOAuthIntegrations: (ctx) => listAccounts(ctx),
    getOAuthIntegration: (ctx, { params }) => getAccount(ctx, params.id),
    updateOAuthIntegration: (ctx, { params, body }) => updateAccount(ctx, params.id, body.config),
    activateOAuthIntegration: (ctx, { params, body }) =>
      activateAccount(ctx, params.id, body.config),
    deactivateOAuthIntegration: (ctx, { params }) => deactivateAccount(ctx, params.id),
    syncOAuthIntegration: (ctx, { params }) => syncAccount(ctx, params.id),
    oauthSyncProgress: (ctx, { params }) => syncProgress(ctx, params.batchId),
    removeOAuthIntegration: withoutTransaction((ctx, { params }) => removeAccount(ctx, params.id)),
    lookUpOAuthIntegration: withoutTransaction((ctx, { params, query }) =>
      lookUp(ctx, params.id, { kind: params.kind, parent: query.parent }),
    ),
  }),
  defineRoutes(slack, {
    listSlackChannels: withoutTransaction((ctx, { params }) => listChannels(ctx, params.id)),
    configureSlack: withoutTransaction((ctx, { params, body }) =>
      configureSlack(ctx, params.id, body),
    ),
  }),
  defineRoutes(ga4, {
    listGa4Integrations: (ctx) => listGa4(ctx),
    createGa4Integration: withoutTransaction((ctx, { body }) => createGa4(ctx, body)),
    getGa4Integration: (ctx, { params }) => getGa4(ctx, params.id),
    updateGa4Integration: withoutTransaction((ctx, { params, body }) =>
      updateGa4(ctx, params.id, body),
    ),
    deleteGa4Integration: (ctx, { params }) => removeDestination(ctx, 'ga4', params.id),
  }),
  defineRoutes(webhooks, {
    listWebhooks: (ctx) => listWebhooks(ctx),
    createWebhook: (ctx, { body }) => createWebhook(ctx, body),
    updateWebhook: (ctx, { params, body }) => updateWebhook(ctx, params.id, body),
    deleteWebhook: (ctx, { params }) => removeDestination(ctx, 'webhooks', params.id),
    rotateWebhookSecret: (ctx, { params, body }) => rotateSecret(ctx, params.id, body),
    testWebhook: withoutTransaction((ctx, { params, body }) =>
      testWebhook(ctx, params.id, body.event),
    ),
  }),
  defineRoutes(adf, {
    listAdfIntegrations: (ctx) => listAdf(ctx),
    createAdfIntegration: (ctx, { body }) => createAdf(ctx, body),
    updateAdfIntegration: (ctx, { params, body }) => updateAdf(ctx, params.id, body),
    deleteAdfIntegration: (ctx, { params }) => removeDestination(ctx, 'adf', params.id),
    deactivateAdfIntegration: (ctx, { params }) => deactivateAdf(ctx, params.id),
  }),
);
