import type { Adapter } from '../adapter.ts';
import { s3Settings } from './settings.ts';

/** Files in an S3 bucket. */
export const s3: Adapter = {
  name: 's3',
  settings: s3Settings,
  servers: (settings) => {
    const endpoint = s3Settings.of(settings)?.endpoint;
    return endpoint ? [{ variable: 'S3_ENDPOINT', url: endpoint, defaultPort: 443 }] : [];
  },
  gateways: {
    blobs: async (settings) => {
      const bucket = s3Settings.of(settings);
      if (!bucket) throw new Error('S3_BUCKET is not set.');
      return (await import('./bytes.ts')).s3Bytes(bucket);
    },
  },
};
