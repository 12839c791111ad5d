import { notifications as contract } from '#contract';
import { answering, outside } from '../../platform/answer.ts';
import {
  addNotificationBlocks,
  listNotificationBlocks,
  removeNotificationBlocks,
} from './blocks.ts';
import { getNotificationCounts, getNotificationCountsByNumber } from './counts.ts';
import { getNotificationSettings, saveAndListen, unsubscribeMail } from './settings.ts';
import { registerApnsDevice, subscribeWebPush, unsubscribeWebPush, webPushKey } from './devices.ts';

export const answers = answering(contract, {
  listNotificationBlocks: (ctx) => listNotificationBlocks(ctx),
  addNotificationBlocks: (ctx, { body }) => addNotificationBlocks(ctx, body),
  removeNotificationBlocks: (ctx, { body }) => removeNotificationBlocks(ctx, body),
  getNotificationCounts: (ctx) => getNotificationCounts(ctx),
  getNotificationCountsByNumber: (ctx) => getNotificationCountsByNumber(ctx),
  registerApnsDevice: outside((ctx, { body }, http) => registerApnsDevice(ctx, body, http)),
  webPushKey: outside((ctx) => webPushKey(ctx)),
  subscribeWebPush: outside((ctx, { body }, http) => subscribeWebPush(ctx, body, http)),
  unsubscribeWebPush: outside((ctx, { body }) => unsubscribeWebPush(ctx, body)),
  getNotificationSettings: (ctx) => getNotificationSettings(ctx),
  saveNotificationSettings: outside((ctx, { body }) => saveAndListen(ctx, body)),
  unsubscribeMail: outside((ctx, { body }) => unsubscribeMail(ctx, body)),
});
