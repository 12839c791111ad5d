import { runJob } from '../../platform/jobs.ts';
import { pushJob, mailFaxJob, mailDigestJob } from './job-kinds.ts';
import { mailFax } from './mail-fax.ts';
import { mailDigest } from './mail-digest.ts';
import { push } from './deliver-push.ts';
export const jobs = [
  runJob(pushJob, push),
  runJob(mailFaxJob, mailFax),
  runJob(mailDigestJob, mailDigest),
];
