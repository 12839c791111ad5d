export { answers } from './routes.ts';
export { jobs } from './jobs.ts';
export { reactions } from './reactions.ts';
export { keepPresence } from './presence.ts';
export { startListening } from './listening.ts';
import { owns as settingsOwns } from './store-settings.ts';
import { owns as ownOwns } from './store.ts';
export const owns = [...ownOwns, ...settingsOwns] as const;
