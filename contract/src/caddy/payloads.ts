export { usage as caddyBillingUsageUpdated } from './schemas.ts';
