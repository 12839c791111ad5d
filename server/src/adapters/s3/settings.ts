import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { text, url, variable } from '../../platform/settings/variable.ts';

export interface S3Settings {
  /** Null: Amazon's own. */
  endpoint: string | null;
  bucket: string;
  region: string;
  /** Both keys null: the machine's own role. */
  accessKeyId: string | null;
  secretAccessKey: string | null;
}

/** Null: no bucket is set. */
export const s3Settings = adapterSettings(
  's3',
  {
    S3_ENDPOINT: variable(
      url('http:', 'https:').optional(),
      '',
      'URL of an S3 service; without `S3_BUCKET` files are stored in `DATA_DIR`',
      { example: 'https://s3.eu-central-1.amazonaws.com' },
    ),
    S3_BUCKET: variable(
      text.optional(),
      '',
      'Bucket for recordings, pictures and imports; set it to store files in S3',
      { example: 'trunkline' },
    ),
    S3_REGION: variable(text, 'us-east-1', 'Region of the bucket'),
    S3_ACCESS_KEY_ID: variable(
      text.optional(),
      '',
      'Key with read and write access to the bucket',
      {
        example: 'AKIA…',
        secret: true,
      },
    ),
    S3_SECRET_ACCESS_KEY: variable(text.optional(), '', 'Secret of that key', {
      example: '…',
      secret: true,
    }),
  },
  (read, { problem }): S3Settings | null => {
    const accessKeyId = read('S3_ACCESS_KEY_ID') ?? null;
    const secretAccessKey = read('S3_SECRET_ACCESS_KEY') ?? null;
    if ((accessKeyId === null) !== (secretAccessKey === null))
      problem(
        'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together. Set both, or neither to use the machine’s own role',
      );
    const bucket = read('S3_BUCKET');
    const [endpoint, region] = [read('S3_ENDPOINT') ?? null, read('S3_REGION')];
    return bucket ? { endpoint, bucket, region, accessKeyId, secretAccessKey } : null;
  },
);
