import { z } from 'zod';
import { jobKind, spread, type JobKind } from './job-kind.ts';

/** What every job that writes an export gets: its batch, and which kind of export it is. */
const exportPayload = z.object({
  companyId: z.number(),
  batchId: z.uuid(),
  kind: z.string(),
});
export type ExportPayload = z.infer<typeof exportPayload>;

/** A job that writes exports. A company's are written one after the other: others don't wait for all of them. */
export const exportJobKind = (name: string): JobKind<ExportPayload> =>
  jobKind(name, exportPayload, {
    queue: 'bulk',
    timeoutSeconds: 3600,
    overlap: ({ companyId }) => spread('exports', String(companyId)),
    retries: 4,
  });

/** Mails the link of a finished export to who asked for it. */
export const mailExportJob = jobKind('exports.mail', exportPayload, {
  queue: 'default',
  timeoutSeconds: 60,
  overlap: 'allowed',
  retries: 24,
});
