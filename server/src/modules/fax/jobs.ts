import { runJob } from '../../platform/jobs.ts';
import { renderJob, submitJob, pollJob, fetchJob } from './job-kinds.ts';
import { checkFaxStatus, submitFax } from './submit-fax.ts';
import { fetchFax, renderFax } from './render-fax.ts';
export const jobs = [
  runJob(renderJob, renderFax),
  runJob(submitJob, submitFax),
  runJob(pollJob, checkFaxStatus),
  runJob(fetchJob, fetchFax),
];
