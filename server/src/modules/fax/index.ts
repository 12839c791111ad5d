export { carrierFaxRoutes } from './fax-webhooks.ts';
