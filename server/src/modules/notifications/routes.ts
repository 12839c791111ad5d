import { notifications as contract } from '#contract';
import { defineRoutes, withoutTransaction } from '../../platform/routes.ts';
import {
  addNotificationBlocks,
  listNotificationBlocks,
  removeNotificationBlocks,
} from './blocks.ts';
import { getNotificationCounts, getNotificationCountsByNumber } from './counts.ts';
import { getNotificationSettings, saveSettingsAndRefresh, unsubscribeMail } from './settings.ts';
import { registerApnsDevice, subscribeWebPush, unsubscribeWebPush, webPushKey } from './devices.ts';

export const routes = defineRoutes(contract, {
  listNotificationBlocks: (ctx) => listNotificationBlocks(ctx),
  addNotificationBlocks: (ctx, { body }) => addNotificationBlocks(ctx, body),
  removeNotificationBlocks: (ctx, { body }) => removeNotificationBlocks(ctx, body),
  getNotificationCounts: (ctx) => getNotificationCounts(ctx),
  getNotificationCountsByNumber: (ctx) => getNotificationCountsByNumber(ctx),
  registerApnsDevice: withoutTransaction((ctx, { body }, http) =>
    registerApnsDevice(ctx, body, http),
  ),
  webPushKey: withoutTransaction((ctx) => webPushKey(ctx)),
  subscribeWebPush: withoutTransaction((ctx, { body }, http) => subscribeWebPush(ctx, body, http)),
  unsubscribeWebPush: withoutTransaction((ctx, { body }) => unsubscribeWebPush(ctx, body)),
  getNotificationSettings: (ctx) => getNotificationSettings(ctx),
  saveNotificationSettings: withoutTransaction((ctx, { body }) =>
    saveSettingsAndRefresh(ctx, body),
  ),
  unsubscribeMail: withoutTransaction((ctx, { body }) => unsubscribeMail(ctx, body)),
});
