import { defineRecurring, runJob } from '../../platform/jobs.ts';
import {
  fetchRecordingJob,
  deleteRecordingJob,
  transcribeRecordingJob,
  eraseBytesJob,
  mailVoicemailJob,
  exportSearchJob,
  identifyNewCallerJob,
  refreshNamesJob,
  moveTagJob,
  removePhraseListJob,
  searchBackJob,
  readCallJob,
} from './job-kinds.ts';
import { identifyNewCaller } from './caller-identity/look-up-automatically.ts';
import { fetchRecording, deleteCarrierRecording } from './recordings/fetch-recording.ts';
import { deleteBytes, deleteExpiredRecordings } from './recordings/recording-retention.ts';
import { removeList } from './phrases/remove-list.ts';
import { searchBack } from './phrases/search-back.ts';
import { readCall } from './readings/read-call.ts';
import { foldCallers } from './records/fold-callers.ts';
import { moveTag } from './records/move-tag.ts';
import { refreshNames } from './search/refresh-names.ts';
import { writeSearch } from './search/export-search.ts';
import { mailVoicemail } from './voicemail/mail-voicemail.ts';
import { transcribeRecording } from './transcripts/transcribe-recording.ts';

export const jobs = [
  runJob(fetchRecordingJob, fetchRecording),
  runJob(deleteRecordingJob, deleteCarrierRecording),
  runJob(transcribeRecordingJob, transcribeRecording),
  runJob(eraseBytesJob, deleteBytes),
  runJob(mailVoicemailJob, mailVoicemail),
  runJob(exportSearchJob, writeSearch),
  runJob(identifyNewCallerJob, identifyNewCaller),
  runJob(refreshNamesJob, refreshNames),
  runJob(moveTagJob, moveTag),
  runJob(searchBackJob, searchBack),
  runJob(removePhraseListJob, removeList),
  runJob(readCallJob, readCall),
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
