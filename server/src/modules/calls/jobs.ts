import { z } from 'zod';
import { asBulk, defineJob } from '../../platform/jobs.ts';
import { fetchRecording, deleteCarrierRecording } from './recordings/fetch-recording.ts';
import { deleteBytes, deleteExpiredRecordings } from './recordings/recording-retention.ts';
import { writeSearch } from './search/export-search.ts';
import { mailVoicemail } from './voicemail/mail-voicemail.ts';
import { transcribeRecording } from './transcripts/transcribe-recording.ts';

const companyId = z.number();

export const jobs = [
  defineJob(
    'calls.fetchRecording',
    z.object({ companyId, recordingId: z.number() }),
    fetchRecording,
  ),
  defineJob(
    'calls.deleteRecording',
    z.object({ companyId, carrier: z.string(), url: z.string() }),
    deleteCarrierRecording,
  ),
  defineJob(
    'calls.transcribeRecording',
    z.object({ companyId, transcriptionId: z.number() }),
    transcribeRecording,
  ),
  defineJob('calls.eraseBytes', z.object({ companyId, key: z.string() }), deleteBytes),
  defineJob('calls.mailVoicemail', z.object({ companyId, voicemailId: z.number() }), mailVoicemail),
  asBulk(
    defineJob(
      'calls.exportSearch',
      z.object({ companyId, batchId: z.string(), kind: z.string() }),
      writeSearch,
    ),
  ),
  asBulk(defineJob('calls.deleteExpired', z.object({}), deleteExpiredRecordings, '17 * * * *')),
];
