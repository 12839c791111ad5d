import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, url, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';
import type { S3Settings } from '../s3/settings.ts';

/** Not those of the files' bucket: a backup belongs to another account, which keeps it. */
const backupSettings = adapterSettings(
  's3-backups',
  {
    BACKUP_S3_ENDPOINT: variable(
      url('http:', 'https:').optional(),
      '',
      'URL of the S3 service of `BACKUP_TO`; by default Amazon’s',
      { example: 'https://s3.eu-central-1.amazonaws.com' },
    ),
    BACKUP_S3_REGION: variable(text, 'us-east-1', 'Region of that bucket'),
    BACKUP_S3_ACCESS_KEY_ID: variable(text.optional(), '', 'Key for that bucket', {
      example: 'AKIA…',
      secret: true,
    }),
    BACKUP_S3_SECRET_ACCESS_KEY: variable(text.optional(), '', 'Secret of that key', {
      example: '…',
      secret: true,
    }),
  },
  (read, { problem }): Omit<S3Settings, 'bucket'> => {
    const accessKeyId = read('BACKUP_S3_ACCESS_KEY_ID') ?? null;
    const secretAccessKey = read('BACKUP_S3_SECRET_ACCESS_KEY') ?? null;
    if ((accessKeyId === null) !== (secretAccessKey === null))
      problem(
        'BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY belong together. Set both, or neither to use the machine’s own role',
      );
    const [endpoint, region] = [read('BACKUP_S3_ENDPOINT') ?? null, read('BACKUP_S3_REGION')];
    return { endpoint, region, accessKeyId, secretAccessKey };
  },
);

/** Backups in an S3 bucket, named as `s3://bucket/prefix`. */
export const s3Backups: Adapter = {
  name: 's3-backups',
  settings: backupSettings,
  gateways: {
    backups: async (settings, to) => {
      const { hostname: bucket, pathname } = new URL(to);
      if (!bucket)
        throw new Error('BACKUP_TO names no bucket. Try BACKUP_TO=s3://my-backups/trunkline');
      const s3 = { ...backupSettings.of(settings), bucket };
      return (await import('../s3/backup-place.ts')).s3Place(s3, pathname.slice(1), to);
    },
  },
};
