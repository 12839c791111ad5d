import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

export const archiveChanged = event<typeof payloads.archiveChanged>({
  name: 'archive.changed',
  channel: 'companies',
  invalidates: ['listArchives'],
});

/** An export's file is ready, or was deleted. */
export const exportsChanged = event<typeof payloads.exportsChanged>({
  name: 'exports.changed',
  channel: 'companies',
  invalidates: ['listExports', 'getExport'],
});
