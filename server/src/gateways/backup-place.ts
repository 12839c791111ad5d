import type { Readable } from 'node:stream';

/** Where backups are kept: a folder, or a prefix in a bucket. */
export interface BackupPlace {
  /** As the operator named it. */
  readonly name: string;
  /** Stores a stream under `path` (`backup/part`), whole or not at all. */
  write(path: string, content: Readable): Promise<void>;
  /** Throws when nothing is stored there. */
  read(path: string): Promise<Readable>;
  /** Names of the backups that are here, finished or not, in no order. */
  list(): Promise<string[]>;
  /** Deletes a backup with all its parts; none is fine, too. */
  remove(backup: string): Promise<void>;
}
