export { liftNetworks } from './general/lift-networks.ts';
