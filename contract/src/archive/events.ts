import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

export const archiveChanged = event<typeof payloads.archiveChanged>({
  name: 'archive.changed',
  channel: 'companies',
  invalidates: ['listArchives'],
});
