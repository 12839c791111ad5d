export { changeSettings } from './general/change-settings.ts';
export { liftNetworks } from './general/lift-networks.ts';
