import { endpoint } from '../kit.ts';
import type * as operations from './operations.ts';

export const listNotificationBlocks = endpoint<typeof operations.listNotificationBlocks>({
  name: 'listNotificationBlocks',
  method: 'GET',
  path: '/notification-blocks',
  permission: 'numbers.view',
  company: 'given',
});

export const addNotificationBlocks = endpoint<typeof operations.addNotificationBlocks>({
  name: 'addNotificationBlocks',
  method: 'POST',
  path: '/notification-blocks',
  permission: 'numbers.view',
  company: 'given',
});

export const removeNotificationBlocks = endpoint<typeof operations.removeNotificationBlocks>({
  name: 'removeNotificationBlocks',
  method: 'DELETE',
  path: '/notification-blocks',
  permission: 'numbers.view',
  company: 'given',
});

export const getNotificationCounts = endpoint<typeof operations.getNotificationCounts>({
  name: 'getNotificationCounts',
  method: 'GET',
  path: '/notificationCounts',
  permission: 'inbox.view',
  company: 'given',
});

export const getNotificationCountsByNumber = endpoint<
  typeof operations.getNotificationCountsByNumber
>({
  name: 'getNotificationCountsByNumber',
  method: 'GET',
  path: '/notificationCounts/byNumber',
  permission: 'inbox.view',
  company: 'given',
});

export const registerApnsDevice = endpoint<typeof operations.registerApnsDevice>({
  name: 'registerApnsDevice',
  method: 'POST',
  path: '/apns-voip-device-tokens',
  permission: 'session',
  company: 'none',
});

export const webPushKey = endpoint<typeof operations.webPushKey>({
  name: 'webPushKey',
  method: 'GET',
  path: '/web-push/key',
  permission: 'session',
  company: 'none',
  audience: 'both',
});

export const subscribeWebPush = endpoint<typeof operations.subscribeWebPush>({
  name: 'subscribeWebPush',
  method: 'POST',
  path: '/web-push/subscriptions',
  permission: 'session',
  company: 'none',
  audience: 'both',
});

export const unsubscribeWebPush = endpoint<typeof operations.unsubscribeWebPush>({
  name: 'unsubscribeWebPush',
  method: 'DELETE',
  path: '/web-push/subscriptions',
  permission: 'session',
  company: 'none',
  audience: 'both',
});

export const getNotificationSettings = endpoint<typeof operations.getNotificationSettings>({
  name: 'getNotificationSettings',
  method: 'GET',
  path: '/notification-settings',
  permission: 'company.view',
  company: 'given',
});

export const saveNotificationSettings = endpoint<typeof operations.saveNotificationSettings>({
  name: 'saveNotificationSettings',
  method: 'PUT',
  path: '/notification-settings',
  permission: 'company.view',
  company: 'given',
});

/** Unsubscribes by the link of an email, after confirmation on its page. Needs no session. */
export const unsubscribeMail = endpoint<typeof operations.unsubscribeMail>({
  name: 'unsubscribeMail',
  method: 'POST',
  path: '/notification-settings/unsubscribe',
  permission: 'public',
  company: 'none',
});
