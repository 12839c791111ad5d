import { z } from 'zod';
import { exportJobKind } from '../../platform/export-jobs.ts';
import { jobKind, spread } from '../../platform/job-kind.ts';

const companyId = z.number();

export const fetchRecordingJob = jobKind(
  'calls.fetchRecording',
  z.object({ companyId, recordingId: z.number() }),
  {
    queue: 'documents',
    timeoutSeconds: 600,
    overlap: (job) => spread('recordings', `${job.companyId}:${job.recordingId % 2}`),
    retries: 9,
  },
);

export const deleteRecordingJob = jobKind(
  'calls.deleteRecording',
  z.object({ companyId, carrier: z.string(), url: z.string() }),
  { queue: 'documents', timeoutSeconds: 60, overlap: 'allowed', retries: 9 },
);

export const transcribeRecordingJob = jobKind(
  'calls.transcribeRecording',
  z.object({ companyId, transcriptionId: z.number() }),
  {
    queue: 'documents',
    timeoutSeconds: 1800,
    // One of a company, two at a time in all: they take minutes, and other files wait for seconds.
    overlap: (job) => `transcripts-${job.companyId % 2}`,
    retries: 5,
  },
);

export const searchBackJob = jobKind(
  'calls.searchBack',
  z.object({ companyId, listId: z.number(), version: z.string() }),
  {
    queue: 'bulk',
    timeoutSeconds: 1800,
    overlap: (job) => `phrases-${job.companyId}`,
    retries: 5,
  },
);

export const removePhraseListJob = jobKind(
  'calls.removePhraseList',
  z.object({ companyId, listId: z.number() }),
  {
    queue: 'bulk',
    timeoutSeconds: 3600,
    overlap: (job) => `phrases-${job.companyId}`,
    retries: 9,
  },
);

export const readCallJob = jobKind(
  'calls.readCall',
  z.object({ companyId, readingId: z.number() }),
  {
    queue: 'documents',
    timeoutSeconds: 150,
    // One of a company: the server asked may be a single processor.
    overlap: (job) => `readings-${job.companyId}`,
    retries: 5,
  },
);

export const eraseBytesJob = jobKind('calls.eraseBytes', z.object({ companyId, key: z.string() }), {
  queue: 'documents',
  timeoutSeconds: 60,
  overlap: 'allowed',
  retries: 24,
});

export const mailVoicemailJob = jobKind(
  'calls.mailVoicemail',
  z.object({ companyId, voicemailId: z.number() }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 7 },
);

export const exportSearchJob = exportJobKind('calls.exportSearch');

/** Looks up a new caller (`enhanced_caller_id_auto`). */
export const identifyNewCallerJob = jobKind(
  'calls.identifyNewCaller',
  z.object({ companyId, number: z.string() }),
  { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 3 },
);

export const refreshNamesJob = jobKind(
  'calls.refreshNames',
  z.object({
    companyId,
    named: z.enum(['contact', 'tag']),
    id: z.number(),
    after: z.number(),
  }),
  {
    queue: 'bulk',
    timeoutSeconds: 3600,
    overlap: (job) => `call-names-${job.companyId}`,
    retries: 24,
  },
);

export const moveTagJob = jobKind('calls.moveTag', z.object({ companyId, gone: z.number() }), {
  queue: 'bulk',
  timeoutSeconds: 3600,
  overlap: (job) => `call-names-${job.companyId}`,
  retries: 24,
});
