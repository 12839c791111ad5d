import { z } from 'zod';
import { jobKind } from './job-kind.ts';

/** What every job that writes an export gets: its batch, and which kind of export it is. */
export const exportPayload = z.object({
  companyId: z.number(),
  batchId: z.uuid(),
  kind: z.string(),
});
export type ExportPayload = z.infer<typeof exportPayload>;

/** Mails the link of a finished export to who asked for it. */
export const mailExportJob = jobKind('exports.mail', exportPayload, {
  queue: 'default',
  timeoutSeconds: 60,
  overlap: 'allowed',
  retries: 24,
});
