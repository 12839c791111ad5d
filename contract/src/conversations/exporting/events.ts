import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

export const exportProgressed = event<typeof payloads.exportProgressed>({
  name: 'export-progress',
  channel: 'users',
  about: ['userId'],
  invalidates: ['exportProgress'],
});

export const exportCompleted = event<typeof payloads.exportCompleted>({
  name: 'export-completed',
  channel: 'users',
  about: ['userId'],
  invalidates: ['exportProgress'],
});
