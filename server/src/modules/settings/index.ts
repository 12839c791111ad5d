export { openTicket } from './support/create-support-ticket.ts';
export { changeSettings } from './general/change-settings.ts';
export { liftNetworks } from './general/lift-networks.ts';
