import { z } from 'zod';
import { job } from '../../platform/jobs.ts';
import { askCarrier } from './ask-carrier.ts';
import { fetchMedia } from './fetch-media.ts';
import { handOver } from './hand-over.ts';
import { sendScheduled } from './send-scheduled.ts';

const companyId = z.number();
const ofItem = z.object({ companyId, itemId: z.number() });

export const jobs = [
  job('conversations.handOver', z.object({ companyId, conversationId: z.number() }), handOver),
  job('conversations.askCarrier', ofItem.extend({ times: z.number() }), askCarrier),
  job('conversations.sendScheduled', ofItem, sendScheduled),
  job('conversations.fetchMedia', ofItem, fetchMedia),
];
