export { startDelivering } from './delivering-companies.ts';
