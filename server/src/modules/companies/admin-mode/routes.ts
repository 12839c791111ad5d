import { adminMode as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../../platform/routes.ts';
import { allowAdminWrites, enterAdminMode, getAdminMode, leaveAdminMode } from './admin-mode.ts';
import { createRemoteLogin, remoteLogin } from './remote-login.ts';

export const routes = defineRoutes(contract, {
  getAdminMode: withoutTransaction((ctx) => getAdminMode(ctx)),
  enterAdminMode: withoutTransaction((ctx, { body }) => enterAdminMode(ctx, body)),
  allowAdminWrites: withoutTransaction((ctx) => allowAdminWrites(ctx)),
  leaveAdminMode: withoutTransaction((ctx) => leaveAdminMode(ctx)),
  createRemoteLogin: withoutTransaction((ctx, { body }) => createRemoteLogin(ctx, body)),
  remoteLogin: withoutTransaction((ctx, { body }, http) => remoteLogin(ctx, body, http)),
});
