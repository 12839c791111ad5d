import { runJob } from '../../platform/jobs.ts';
import { archiveJob } from './job-kinds.ts';
import { runArchive } from './run-archive.ts';

export const jobs = [
  runJob(archiveJob, (ctx, { batchId }, attempt) => runArchive(ctx, batchId, attempt)),
];
