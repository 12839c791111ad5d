import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
import { deleteSound } from './greetings/delete-sound.ts';
import { callAlertPayload, sendCallAlert } from './call-alerts.ts';

export const jobs = [
  defineJob(
    'routing.sendCallAlert',
    callAlertPayload,
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 7 },
    sendCallAlert,
  ),
  defineJob(
    'routing.deleteSound',
    z.object({ companyId: z.number(), fileId: z.number() }),
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    deleteSound,
  ),
];
