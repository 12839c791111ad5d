import { z } from 'zod';
import { asBulk, defineJob } from '../../../platform/jobs.ts';
import { writeExport } from './export-items.ts';
import { deleteExpiredExports } from './delete-expired-exports.ts';
import { mailExport } from './mail-export.ts';

const batchPayload = z.object({ companyId: z.number(), batchId: z.string(), kind: z.string() });
export const jobs = [
  asBulk(defineJob('conversations.export', batchPayload, writeExport)),
  defineJob('exports.mail', batchPayload, mailExport),
  defineJob('exports.purge', z.object({}), deleteExpiredExports, '41 * * * *'),
];
