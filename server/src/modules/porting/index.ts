export { receivePorts } from './inbound.ts';
