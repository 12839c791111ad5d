/** What other features may use of this one. */
export { CallMetrics } from './CallMetrics.tsx';
