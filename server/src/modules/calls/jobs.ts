import { z } from 'zod';
import { spread } from '../../platform/job-policies.ts';
import { defineJob, defineRecurring } from '../../platform/jobs.ts';
import { fetchRecording, deleteCarrierRecording } from './recordings/fetch-recording.ts';
import { deleteBytes, deleteExpiredRecordings } from './recordings/recording-retention.ts';
import { foldCallers } from './records/fold-callers.ts';
import { moveTag } from './records/move-tag.ts';
import { refreshNames } from './search/refresh-names.ts';
import { writeSearch } from './search/export-search.ts';
import { mailVoicemail } from './voicemail/mail-voicemail.ts';
import { transcribeRecording } from './transcripts/transcribe-recording.ts';

const companyId = z.number();

export const jobs = [
  defineJob(
    'calls.fetchRecording',
    z.object({ companyId, recordingId: z.number() }),
    {
      queue: 'documents',
      timeoutSeconds: 600,
      overlap: (job) => spread('recordings', `${job.companyId}:${job.recordingId % 2}`),
      retries: 9,
    },
    fetchRecording,
  ),
  defineJob(
    'calls.deleteRecording',
    z.object({ companyId, carrier: z.string(), url: z.string() }),
    { queue: 'documents', timeoutSeconds: 60, overlap: 'allowed', retries: 9 },
    deleteCarrierRecording,
  ),
  defineJob(
    'calls.transcribeRecording',
    z.object({ companyId, transcriptionId: z.number() }),
    {
      queue: 'documents',
      timeoutSeconds: 1800,
      // One of a company, two at a time in all: they take minutes, and other files wait for seconds.
      overlap: (job) => `transcripts-${job.companyId % 2}`,
      retries: 5,
    },
    transcribeRecording,
  ),
  defineJob(
    'calls.eraseBytes',
    z.object({ companyId, key: z.string() }),
    { queue: 'documents', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    deleteBytes,
  ),
  defineJob(
    'calls.mailVoicemail',
    z.object({ companyId, voicemailId: z.number() }),
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 7 },
    mailVoicemail,
  ),
  defineJob(
    'calls.exportSearch',
    z.object({ companyId, batchId: z.string(), kind: z.string() }),
    { queue: 'bulk', timeoutSeconds: 3600, overlap: 'allowed', retries: 4 },
    writeSearch,
  ),
  defineJob(
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
    refreshNames,
  ),
  defineJob(
    'calls.moveTag',
    z.object({ companyId, gone: z.number() }),
    {
      queue: 'bulk',
      timeoutSeconds: 3600,
      overlap: (job) => `call-names-${job.companyId}`,
      retries: 24,
    },
    moveTag,
  ),
  defineRecurring(
    'calls.foldCallers',
    {
      cron: '* * * * *',
      does: 'adds up when callers had called last',
      queue: 'default',
      timeoutSeconds: 300,
    },
    foldCallers,
  ),
  defineRecurring(
    'calls.deleteExpired',
    {
      cron: '17 * * * *',
      does: 'deletes recordings as old as their number allows',
      queue: 'bulk',
      timeoutSeconds: 3600,
    },
    deleteExpiredRecordings,
  ),
];
