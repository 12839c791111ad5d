import { runJob } from '../../../platform/jobs.ts';
import { eraseJob } from './job-kinds.ts';
import { runErasure } from './run-erasure.ts';

export const jobs = [
  runJob(eraseJob, (ctx, { batchId }, attempt) => runErasure(ctx, batchId, attempt)),
];
