export { startDelivering } from './delivering-companies.ts';
export { startDeliveries } from './deliveries/start-deliveries.ts';
