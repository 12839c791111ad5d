import { z } from 'zod';
import { inBulk, job } from '../../platform/jobs.ts';
import { fetchRecording, forgetRecording } from './fetch-recording.ts';
import { eraseBytes, forgetOld } from './forget-old.ts';
import { writeSearch } from './search/export-search.ts';
import { mailVoicemail } from './mail-voicemail.ts';
import { transcribeRecording } from './transcribe-recording.ts';

const companyId = z.number();

export const jobs = [
  job('calls.fetchRecording', z.object({ companyId, recordingId: z.number() }), fetchRecording),
  job(
    'calls.forgetRecording',
    z.object({ companyId, carrier: z.string(), url: z.string() }),
    forgetRecording,
  ),
  job(
    'calls.transcribeRecording',
    z.object({ companyId, transcriptionId: z.number() }),
    transcribeRecording,
  ),
  job('calls.eraseBytes', z.object({ companyId, key: z.string() }), eraseBytes),
  job('calls.mailVoicemail', z.object({ companyId, voicemailId: z.number() }), mailVoicemail),
  inBulk(
    job(
      'calls.exportSearch',
      z.object({ companyId, batchId: z.string(), kind: z.string() }),
      writeSearch,
    ),
  ),
  inBulk(job('calls.forgetOld', z.object({}), forgetOld, '17 * * * *')),
];
