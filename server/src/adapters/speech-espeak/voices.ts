import type { SpeechVoice } from '../../gateways/speech.ts';

/** Our voices and eSpeak NG's names for them: a language and a speaker variant. */
export const voices: (SpeechVoice & { espeak: string })[] = [
  { id: 'ava', label: 'Ava (US English)', language: 'en-US', gender: 'female', espeak: 'en-us+f3' },
  { id: 'noah', label: 'Noah (US English)', language: 'en-US', gender: 'male', espeak: 'en-us+m3' },
  {
    id: 'grace',
    label: 'Grace (US English)',
    language: 'en-US',
    gender: 'female',
    espeak: 'en-us+f2',
  },
  {
    id: 'henry',
    label: 'Henry (US English)',
    language: 'en-US',
    gender: 'male',
    espeak: 'en-us+m7',
  },
  {
    id: 'olivia',
    label: 'Olivia (British English)',
    language: 'en-GB',
    gender: 'female',
    espeak: 'en-gb+f2',
  },
  {
    id: 'oliver',
    label: 'Oliver (British English)',
    language: 'en-GB',
    gender: 'male',
    espeak: 'en-gb+m1',
  },
  {
    id: 'lucia',
    label: 'Lucía (Latin American Spanish)',
    language: 'es-419',
    gender: 'female',
    espeak: 'es-419+f2',
  },
  {
    id: 'mateo',
    label: 'Mateo (Latin American Spanish)',
    language: 'es-419',
    gender: 'male',
    espeak: 'es-419+m3',
  },
  { id: 'elena', label: 'Elena (Spanish)', language: 'es-ES', gender: 'female', espeak: 'es+f2' },
  {
    id: 'camille',
    label: 'Camille (French)',
    language: 'fr-FR',
    gender: 'female',
    espeak: 'fr+f2',
  },
  { id: 'hanna', label: 'Hanna (German)', language: 'de-DE', gender: 'female', espeak: 'de+f2' },
];

/** The requested voice, else the default of the language, else US English. */
export function chooseVoice(wanted: {
  voice?: string | undefined;
  language?: string | undefined;
}): string {
  const language = wanted.language?.toLowerCase();
  const chosen =
    voices.find((voice) => voice.id === wanted.voice) ??
    voices.find((voice) => voice.language.toLowerCase() === language) ??
    voices.find(
      (voice) =>
        language !== undefined && voice.language.slice(0, 2).toLowerCase() === language.slice(0, 2),
    );
  return chosen?.espeak ?? 'en-us+f3';
}
