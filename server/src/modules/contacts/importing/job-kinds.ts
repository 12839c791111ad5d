import { z } from 'zod';
import { exportJobKind } from '../../../platform/export-jobs.ts';
import { jobKind } from '../../../platform/job-kind.ts';

export const importJob = jobKind(
  'contacts.import',
  z.object({ companyId: z.number(), importId: z.number() }),
  {
    queue: 'bulk',
    timeoutSeconds: 14400,
    overlap: ({ companyId }) => `contact-import:${companyId}`,
    retries: 5,
  },
);

export const undoImportJob = jobKind(
  'contacts.undoImport',
  z.object({ companyId: z.number(), importId: z.number(), by: z.number() }),
  {
    queue: 'bulk',
    timeoutSeconds: 14400,
    overlap: ({ companyId }) => `contact-import:${companyId}`,
    retries: 24,
  },
);

export const exportJob = exportJobKind('contacts.export');
