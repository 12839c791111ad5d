export { startPresenceHeartbeat } from './presence-heartbeat.ts';
export { startNotificationTargets } from './notification-targets.ts';
export { setPushes, unsubscribeToken } from './settings.ts';
export { audienceOf, type Listener } from './audience.ts';
export { pushTo } from './push.ts';
export { mailFoot } from './mail-foot.ts';
