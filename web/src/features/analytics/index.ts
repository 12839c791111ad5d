/** The public API of this feature. */
export { CallMetrics } from './CallMetrics.tsx';
export { LiveNow } from './LiveNow.tsx';
export { Waiting } from './Waiting.tsx';
