import { runJob } from '../../platform/jobs.ts';
import { sendCallAlertJob, deleteSoundJob } from './job-kinds.ts';
import { deleteSound } from './greetings/delete-sound.ts';
import { sendCallAlert } from './call-alerts.ts';

export const jobs = [runJob(sendCallAlertJob, sendCallAlert), runJob(deleteSoundJob, deleteSound)];
