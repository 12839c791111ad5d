import { z } from 'zod';
import { id, instant } from '../schemas.ts';
import { matchedSource } from '../tracking/match-schemas.ts';
import { answeredBy, callingStatus, outcome, status } from './schemas.ts';

/** `party`: E.164 of the other party, or `anonymous` when withheld. */
const ofACall = {
  callId: id,
  numberId: id,
  party: z.string(),
  outbound: z.boolean(),
  contactId: id.nullable(),
  startedAt: instant,
  source: matchedSource.nullable().meta({ description: 'Null: not a tracking number’s call' }),
};

export const callStarted = z.object(ofACall);

export const callAnswered = z.object({ ...ofACall, answeredBy: answeredBy.nullable() });

export const callEnded = z.object({
  ...ofACall,
  status,
  outcome,
  because: z.string(),
  endedAt: instant,
  durationSeconds: z.number(),
  ringSeconds: z.number(),
  talkSeconds: z.number(),
  answeredBy: answeredBy.nullable(),
  extensionLabel: z.string().nullable(),
  recordingFileId: id.nullable(),
  alertEmails: z.array(z.string()),
});

export const destinationsRung = z.object({
  callId: id,
  numberId: id,
  at: instant,
  legs: z.array(z.object({ leg: z.string(), forwardId: id, answered: z.boolean() })),
});

export const callerIdentified = z.object({ source: z.string() });

export const callUpdated = z.object({ callId: id, numberId: id, changed: z.array(z.string()) });

export const voicemailReceived = z.object({
  ...ofACall,
  voicemailId: id,
  durationSeconds: z.number(),
  fileId: id,
  receivedAt: instant,
  alertEmails: z.array(z.string()),
});

export const recordingReady = z.object({
  callId: id,
  numberId: id,
  fileId: id,
  durationSeconds: z.number(),
});

export const transcriptionReady = z.object({
  callId: id,
  numberId: id,
  voicemailId: id.nullable(),
  state: z.enum(['ready', 'failed', 'skipped']),
  text: z.string(),
});

export const inAppCalling = z.object({
  type: z.enum(['ringing', 'answered', 'ended', 'status']),
  callId: id.nullable(),
  joinToken: z.string().nullable(),
  from: z.string().nullable(),
  number: z.object({ id, number: z.string(), label: z.string() }).nullable(),
  contact: z.object({ id, name: z.string() }).nullable(),
  expiresAt: instant.nullable(),
  companyId: id,
  leg: z.string().nullable(),
  outbound: z.boolean().meta({
    description:
      'This person’s own leg of a call they placed, retrieved or monitor; it answers automatically',
  }),
  status: callingStatus.nullable(),
  because: z.string().nullable(),
  monitoring: z.boolean().optional().meta({ description: 'This leg belongs to a supervisor' }),
});

export const callingPresenceChanged = z.object({ companyId: id, userId: id });
