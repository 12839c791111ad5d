import { isAbsolute, resolve } from 'node:path';
import { adaptersFor } from '../adapters/registry.ts';
import type { BackupPlace } from '../gateways/backup-place.ts';
import type { Settings } from '../platform/settings.ts';
import { folderPlace } from './folder-place.ts';

/**
 * The place that an operator named: a folder, or `s3://bucket/prefix`.
 * @throws Error for a bucket whose name is missing
 */
export async function openPlace(to: string, settings: Settings): Promise<BackupPlace> {
  if (!to.startsWith('s3://')) return folderPlace(isAbsolute(to) ? to : resolve(to));
  const open = adaptersFor('backups', settings)[0]?.gateways.backups;
  if (!open) throw new Error(`No adapter keeps backups at ${to}.`);
  return open(settings, to);
}
