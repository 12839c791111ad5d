export { startPresenceHeartbeat } from './presence-heartbeat.ts';
export { startNotificationTargets } from './notification-targets.ts';
export { setPushes } from './settings.ts';
