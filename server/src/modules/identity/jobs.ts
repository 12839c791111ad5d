import { runJob } from '../../platform/jobs.ts';
import { mailResetLinkJob, mailSignupCodeJob, textCodeJob } from './job-kinds.ts';
import { textCode } from './mfa/send-code.ts';
import { mailSignupCode } from './persons.ts';
import { mailResetLink } from './reset-password.ts';

export const jobs = [
  runJob(mailResetLinkJob, mailResetLink),
  runJob(mailSignupCodeJob, mailSignupCode),
  runJob(textCodeJob, textCode),
];
