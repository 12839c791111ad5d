import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as BandwidthSdk from 'bandwidth-sdk';
import type { Prompt } from '../../ports/voice.ts';
import type { Doing } from '../doing.ts';

type Verbs = (typeof BandwidthSdk)['Bxml'];
/** Loading the SDK takes a while, which only those pay who use it; of it only the builder of documents is loaded. */
let loaded: Verbs | null = null;
const verbs = (): Verbs =>
  (loaded ??= (createRequire(import.meta.url)('bandwidth-sdk/dist/models/bxml') as { Bxml: Verbs })
    .Bxml);
type Verb = Exclude<ConstructorParameters<Verbs['Response']>[0], undefined | readonly unknown[]>;

/** Addresses a document points at, all absolute. */
export interface Places {
  /** What should this leg do now? */
  voice(leg: string): string;
  /** What it heard is over, or keys were pressed. */
  gather(leg: string, command: string): string;
  recording(leg: string, recordingId: string): string;
  /** Who joined or left a conference. */
  conference(leg: string): string;
  /** A file of the product's (`company:file`). */
  file(name: string): string;
  sound(name: string): string;
}
export interface AboutLeg {
  leg: string;
  inbound: boolean;
  /** The caller was picked up (by us): before that nothing may be heard. */
  answered: boolean;
  /** Bandwidth's id of the leg that alone hears this one. */
  coachRef?: string | null;
  /** The recording that begins (or ends) with this document. */
  recording?: { begin: string } | 'stop' | null;
  /** What Bandwidth brings along with every report. */
  login?: { username: string; password: string } | null;
}

/** Seconds between two looks of a caller who is still ringing. */
const ringingLookSeconds = 2;
/** A piece of music that often before Bandwidth asks again. */
const musicRounds = 10;

export function documentOf(doing: Doing, about: AboutLeg, places: Places): string {
  const { Bxml, StartRecording, StopRecording } = verbs();
  const begin: Verb[] =
    about.recording === 'stop'
      ? [new StopRecording()]
      : about.recording
        ? [
            new StartRecording({
              recordingAvailableUrl: places.recording(about.leg, about.recording.begin),
              recordingAvailableMethod: 'POST',
              ...about.login,
              fileFormat: 'wav',
              multiChannel: true,
            }),
          ]
        : [];
  return new Bxml([...begin, ...verbsOf(doing, about, places)]).toBxml();
}

function verbsOf(doing: Doing, about: AboutLeg, places: Places): Verb[] {
  const b = verbs();
  const login = about.login ?? {};
  const again = () =>
    new b.Redirect({ redirectUrl: places.voice(about.leg), redirectMethod: 'POST', ...login });
  switch (doing.kind) {
    case 'wait':
      // Every other verb picks an unanswered caller up; a Ring that is told not to lets them go on hearing it ring.
      return [
        about.inbound && !about.answered
          ? new b.Ring({ duration: ringingLookSeconds, answerCall: false })
          : new b.Pause({ duration: 60 }),
        again(),
      ];
    case 'play':
      return [
        ...spoken(doing.prompts, places),
        new b.Redirect({
          redirectUrl: places.gather(about.leg, doing.command),
          redirectMethod: 'POST',
          ...login,
        }),
      ];
    case 'gather': {
      const seconds = Math.min(60, Math.max(1, Math.round(doing.timeoutSeconds)));
      return [
        new b.Gather(
          {
            gatherUrl: places.gather(about.leg, doing.command),
            gatherMethod: 'POST',
            ...login,
            maxDigits: Math.min(50, doing.maxDigits),
            terminatingDigits: doing.finishOn,
            firstDigitTimeout: seconds,
            interDigitTimeout: seconds,
          },
          spoken(doing.prompts, places),
        ),
      ];
    }
    case 'music': {
      const piece = doing.file
        ? places.file(doing.file)
        : places.sound(
            doing.musicId === null
              ? 'ringing'
              : `music-${[1, 2, 3].includes(doing.musicId) ? doing.musicId : 1}`,
          );
      return [...Array.from({ length: musicRounds }, () => new b.PlayAudio(piece)), again()];
    }
    case 'room':
      return [
        new b.Conference(roomName(doing.room), {
          mute: doing.muted,
          ...(doing.coach && about.coachRef ? { callIdsToCoach: about.coachRef } : {}),
          conferenceEventUrl: places.conference(about.leg),
          conferenceEventMethod: 'POST',
          ...login,
        }),
        again(),
      ];
    case 'keys':
      // A pause is `w` on our telephones and a comma at Bandwidth.
      return [
        new b.SendDtmf(doing.digits.replace(/[wW]/g, ',')),
        ...verbsOf(doing.then, about, places),
      ];
    case 'record':
      return [
        ...(doing.beep ? [new b.PlayAudio(places.sound('beep'))] : []),
        new b.Record({
          recordCompleteUrl: places.recording(about.leg, doing.recordingId),
          recordCompleteMethod: 'POST',
          recordingAvailableUrl: places.recording(about.leg, doing.recordingId),
          recordingAvailableMethod: 'POST',
          ...login,
          maxDuration: doing.maxSeconds,
          silenceTimeout: doing.silenceSeconds,
          terminatingDigits: '#',
          fileFormat: 'wav',
        }),
      ];
    case 'hangup':
    case 'reject':
      // As the first verb of a caller who was not picked up it turns them away.
      return [new b.Hangup()];
  }
}

function spoken(
  prompts: readonly Prompt[],
  places: Places,
): (InstanceType<Verbs['SpeakSentence']> | InstanceType<Verbs['PlayAudio']>)[] {
  const { SpeakSentence, PlayAudio } = verbs();
  return prompts.map((prompt) => {
    // The SDK lets marks of SSML through as they stand: what people wrote is words, never marks.
    if (prompt.kind === 'say')
      return new SpeakSentence(prompt.text.replace(/[<>]/g, ' '), {
        locale: (prompt.language ?? 'en-US').replace('-', '_'),
      });
    return new PlayAudio(
      prompt.kind === 'play' ? places.file(prompt.fileId) : places.sound('beep'),
    );
  });
}

/** Conferences are named with letters, numbers and a few marks only, and live in one room for all our companies. */
export const roomName = (room: string): string =>
  createHash('sha256').update(room).digest('hex').slice(0, 40);
