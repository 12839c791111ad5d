import { z } from 'zod';
import { job } from '../../platform/jobs.ts';
import { fetchRecording } from './fetch-recording.ts';
import { eraseBytes, forgetOld } from './forget-old.ts';
import { transcribeRecording } from './transcribe-recording.ts';

const companyId = z.number();

export const jobs = [
  job('calls.fetchRecording', z.object({ companyId, recordingId: z.number() }), fetchRecording),
  job('calls.transcribeRecording', z.object({ companyId, transcriptionId: z.number() }), transcribeRecording),
  job('calls.eraseBytes', z.object({ companyId, key: z.string() }), eraseBytes),
  job('calls.forgetOld', z.object({}), forgetOld, '17 * * * *'),
];
