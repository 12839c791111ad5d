import { z } from 'zod';
import { job } from '../../platform/jobs.ts';
import { forgetSound } from './greetings/forget-sound.ts';
import { callMail, sendMailAboutCall } from './mail-about-call.ts';

export const jobs = [
  job('routing.mailAboutCall', callMail, sendMailAboutCall),
  job('routing.forgetSound', z.object({ companyId: z.number(), fileId: z.number() }), forgetSound),
];
