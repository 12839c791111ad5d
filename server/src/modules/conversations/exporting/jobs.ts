import { z } from 'zod';
import { inBulk, job } from '../../../platform/jobs.ts';
import { writeExport } from './export-items.ts';
import { forgetExports } from './forget-exports.ts';
import { mailExport } from './mail-export.ts';

const ofBatch = z.object({ companyId: z.number(), batchId: z.string(), kind: z.string() });
export const jobs = [
  inBulk(job('conversations.export', ofBatch, writeExport)),
  job('exports.mail', ofBatch, mailExport),
  job('exports.forget', z.object({}), forgetExports, '41 * * * *'),
];
