import { monitoring, setup } from '#contract';
import type { Module } from '../../platform/module.ts';
import { defineRoutes, mergeRoutes, withoutTransaction } from '../../platform/routes.ts';
import {
  countAlerts,
  getAlert,
  listAlertHistory,
  listAlerts,
  updateAlert,
  updateAlerts,
} from './alerts.ts';
import { getAlertDigest, updateAlertDigest } from './digest.ts';
import { jobs } from './jobs.ts';
import { retention } from './retention.ts';
import { runSetupCheck } from './setup/run-check.ts';

/** What the installation runs of this module. */
export const module: Module = {
  routes: mergeRoutes(
    defineRoutes(monitoring, {
      listAlerts: withoutTransaction((ctx, { query }) => listAlerts(ctx, query)),
      countAlerts: withoutTransaction((ctx, { query }) => countAlerts(ctx, query)),
      getAlert: (ctx, { params }) => getAlert(ctx, params.id),
      updateAlert: (ctx, { params, body }) => updateAlert(ctx, params.id, body),
      updateAlerts: (ctx, { body }) => updateAlerts(ctx, body),
      getAlertDigest: withoutTransaction((ctx) => getAlertDigest(ctx)),
      updateAlertDigest: withoutTransaction((ctx, { body }) => updateAlertDigest(ctx, body)),
      listAlertHistory: (ctx, { params }) => listAlertHistory(ctx, params.id),
    }),
    defineRoutes(setup, {
      runSetupCheck: withoutTransaction((ctx, { params, body }, http) =>
        runSetupCheck(ctx, params.check, body, http),
      ),
    }),
  ),
  jobs,
  retention,
};
