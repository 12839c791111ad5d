import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
import { deleteSound } from './greetings/delete-sound.ts';
import { callAlertPayload, sendCallAlert } from './call-alerts.ts';

export const jobs = [
  defineJob('routing.mailAboutCall', callAlertPayload, sendCallAlert),
  defineJob(
    'routing.forgetSound',
    z.object({ companyId: z.number(), fileId: z.number() }),
    deleteSound,
  ),
];
