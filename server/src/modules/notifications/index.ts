export { routes } from './routes.ts';
export { jobs } from './jobs.ts';
export { subscribers } from './subscribers.ts';
export { startPresenceHeartbeat } from './presence-heartbeat.ts';
export { startNotificationTargets } from './notification-targets.ts';
import { owns as settingsOwns } from './store-settings.ts';
import { owns as ownOwns } from './store.ts';
export const owns = [...ownOwns, ...settingsOwns] as const;
