import type { Grant, PermissionKey } from '#contract';

/**
 * For whom a file was made, and what its content took for granted: fetching it asks for the same
 * again, so that it ends with the access.
 */
export interface FileGuard {
  userId: number;
  /** The permission it was made by, then others that decided what it holds; each with its scope. */
  grants: [PermissionKey, Grant][];
  /** The numbers it may tell of; null: all. */
  numbers: readonly number[] | null;
  /** The same of other companies that it tells of, too. */
  elsewhere?: (Pick<FileGuard, 'grants' | 'numbers'> & { companyId: number })[];
}
