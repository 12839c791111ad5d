/** What other features may use of this one. */
export { CallMetrics } from './CallMetrics.tsx';
export { LiveNow } from './LiveNow.tsx';
export { Waiting } from './Waiting.tsx';
