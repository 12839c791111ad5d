import { atLeastOne, daysByTable, text, variable } from './variable.ts';

/** How long data is kept, and how it is backed up. */
export const keepingVariables = {
  AUDIT_KEEP_DAYS: variable(
    atLeastOne.min(90, 'must be at least 90'),
    '730',
    'Days to keep entries of the audit log, at least 90',
  ),
  RETENTION_DAYS: variable(
    daysByTable,
    '',
    'Days to keep rows of the tables that docs/retention.md allows: `table=days`, separated by commas',
    { example: 'login_attempt=90,call_event=14' },
  ),
  BACKUP_TO: variable(
    text.regex(/^(\/|s3:\/\/)/, 'must be a folder’s full path or s3://bucket/prefix').optional(),
    '',
    'Where backups are kept: a folder on another disk, or `s3://bucket/prefix`; with it, one is made every day (docs/backup.md)',
    { example: '/mnt/backups/trunkline' },
  ),
  BACKUP_PASSPHRASE: variable(
    text.min(12, 'must have at least 12 characters').optional(),
    '',
    'Encrypts backups; restoring needs it, so keep a copy elsewhere',
    { example: '"$(openssl rand -base64 24)"', secret: true },
  ),
  BACKUP_AT: variable(
    text.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 02:30'),
    '02:30',
    'When the daily backup begins, in UTC',
  ),
  BACKUP_KEEP: variable(atLeastOne, '14', 'How many backups are kept in `BACKUP_TO`'),
};
