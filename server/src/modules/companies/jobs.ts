import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
import { rotateSupportPins } from './rotate-support-pins.ts';

export const jobs = [
  defineJob(
    'companies.rotateSupportPins',
    z.unknown(),
    { queue: 'default', timeoutSeconds: 600, overlap: 'never', retries: 0 },
    rotateSupportPins,
  ),
];
