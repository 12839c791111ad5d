import { runJob } from '../../../platform/jobs.ts';
import { unsnoozeJob, afterHoursJob, textBackJob } from './job-kinds.ts';
import { sendAfterHoursReply } from './after-hours-reply.ts';
import { endSnooze } from './snooze-conversations.ts';
import { sendTextBack } from './text-back.ts';
export const jobs = [
  runJob(unsnoozeJob, endSnooze),
  runJob(afterHoursJob, sendAfterHoursReply),
  runJob(textBackJob, sendTextBack),
];
