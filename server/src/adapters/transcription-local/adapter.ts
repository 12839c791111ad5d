import { adapterSettings } from '../../platform/settings/adapter-settings.ts';
import { atLeastOne, text, variable } from '../../platform/settings/variable.ts';
import type { Adapter } from '../adapter.ts';
import { findModel } from './model-files.ts';

/** Null: no folder is named. */
const localSettings = adapterSettings(
  'transcription-local',
  {
    TRANSCRIPTION_FOLDER: variable(
      text.optional(),
      '',
      'Transcription: folder of a sherpa-onnx model on this machine (docs/transcription.md); `TRANSCRIPTION_URL` goes before it',
      { example: '/srv/models/parakeet-tdt-0.6b-v2' },
    ),
    TRANSCRIPTION_THREADS: variable(
      atLeastOne,
      '1',
      'Transcription: processors that the model on this machine uses at once; calls go before it',
    ),
  },
  (read) => {
    const folder = read('TRANSCRIPTION_FOLDER');
    return folder ? { folder, threads: read('TRANSCRIPTION_THREADS') } : null;
  },
);

/** A speech model on this machine. */
export const localTranscription: Adapter = {
  name: 'transcription-local',
  settings: localSettings,
  folders: (settings) => {
    const set = localSettings.of(settings);
    if (!set) return [];
    const model = findModel(set.folder);
    return [
      {
        variable: 'TRANSCRIPTION_FOLDER',
        path: set.folder,
        problem: 'missing' in model ? model.missing : null,
      },
    ];
  },
  gateways: {
    transcription: async ({ settings }) => {
      const set = localSettings.of(settings);
      if (!set) throw new Error('TRANSCRIPTION_FOLDER is not set.');
      return (await import('./transcription.ts')).localTranscriber(set);
    },
  },
};
