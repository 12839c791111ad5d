import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as BandwidthSdk from 'bandwidth-sdk';
import type { Prompt } from '../../gateways/voice.ts';
import type { LegInstruction } from '../leg-instruction.ts';

type Verbs = (typeof BandwidthSdk)['Bxml'];
/** Loading the SDK takes a while, which only those pay who use it; of it only the builder of documents is loaded. */
let loaded: Verbs | null = null;
const bxmlVerbs = (): Verbs =>
  (loaded ??= (createRequire(import.meta.url)('bandwidth-sdk/dist/models/bxml') as { Bxml: Verbs })
    .Bxml);
type Verb = Exclude<ConstructorParameters<Verbs['Response']>[0], undefined | readonly unknown[]>;

/** Addresses a document points at, all absolute. */
export interface CallbackUrls {
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
export interface LegContext {
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
const ringingPollSeconds = 2;
/** A piece of music that often before Bandwidth asks again. */
const musicRepeats = 10;

export function buildBxml(
  instruction: LegInstruction,
  context: LegContext,
  callbacks: CallbackUrls,
): string {
  const { Bxml, StartRecording, StopRecording } = bxmlVerbs();
  const begin: Verb[] =
    context.recording === 'stop'
      ? [new StopRecording()]
      : context.recording
        ? [
            new StartRecording({
              recordingAvailableUrl: callbacks.recording(context.leg, context.recording.begin),
              recordingAvailableMethod: 'POST',
              ...context.login,
              fileFormat: 'wav',
              multiChannel: true,
            }),
          ]
        : [];
  return new Bxml([...begin, ...verbsFor(instruction, context, callbacks)]).toBxml();
}

function verbsFor(
  instruction: LegInstruction,
  context: LegContext,
  callbacks: CallbackUrls,
): Verb[] {
  const b = bxmlVerbs();
  const login = context.login ?? {};
  const again = () =>
    new b.Redirect({ redirectUrl: callbacks.voice(context.leg), redirectMethod: 'POST', ...login });
  switch (instruction.kind) {
    case 'wait':
      // Every other verb picks an unanswered caller up; a Ring that is told not to lets them go on hearing it ring.
      return [
        context.inbound && !context.answered
          ? new b.Ring({ duration: ringingPollSeconds, answerCall: false })
          : new b.Pause({ duration: 60 }),
        again(),
      ];
    case 'play':
      return [
        ...promptVerbs(instruction.prompts, callbacks),
        new b.Redirect({
          redirectUrl: callbacks.gather(context.leg, instruction.command),
          redirectMethod: 'POST',
          ...login,
        }),
      ];
    case 'gather': {
      const seconds = Math.min(60, Math.max(1, Math.round(instruction.timeoutSeconds)));
      return [
        new b.Gather(
          {
            gatherUrl: callbacks.gather(context.leg, instruction.command),
            gatherMethod: 'POST',
            ...login,
            maxDigits: Math.min(50, instruction.maxDigits),
            terminatingDigits: instruction.finishOn,
            firstDigitTimeout: seconds,
            interDigitTimeout: seconds,
          },
          promptVerbs(instruction.prompts, callbacks),
        ),
      ];
    }
    case 'music': {
      const piece = instruction.file
        ? callbacks.file(instruction.file)
        : callbacks.sound(
            instruction.musicId === null
              ? 'ringing'
              : `music-${[1, 2, 3].includes(instruction.musicId) ? instruction.musicId : 1}`,
          );
      return [...Array.from({ length: musicRepeats }, () => new b.PlayAudio(piece)), again()];
    }
    case 'room':
      return [
        new b.Conference(conferenceName(instruction.room), {
          mute: instruction.muted,
          ...(instruction.coach && context.coachRef ? { callIdsToCoach: context.coachRef } : {}),
          conferenceEventUrl: callbacks.conference(context.leg),
          conferenceEventMethod: 'POST',
          ...login,
        }),
        again(),
      ];
    case 'keys':
      // A pause is `w` on our telephones and a comma at Bandwidth.
      return [
        new b.SendDtmf(instruction.digits.replace(/[wW]/g, ',')),
        ...verbsFor(instruction.then, context, callbacks),
      ];
    case 'record':
      return [
        ...(instruction.beep ? [new b.PlayAudio(callbacks.sound('beep'))] : []),
        new b.Record({
          recordCompleteUrl: callbacks.recording(context.leg, instruction.recordingId),
          recordCompleteMethod: 'POST',
          recordingAvailableUrl: callbacks.recording(context.leg, instruction.recordingId),
          recordingAvailableMethod: 'POST',
          ...login,
          maxDuration: instruction.maxSeconds,
          silenceTimeout: instruction.silenceSeconds,
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

function promptVerbs(
  prompts: readonly Prompt[],
  callbacks: CallbackUrls,
): (InstanceType<Verbs['SpeakSentence']> | InstanceType<Verbs['PlayAudio']>)[] {
  const { SpeakSentence, PlayAudio } = bxmlVerbs();
  return prompts.map((prompt) => {
    // The SDK lets marks of SSML through as they stand: what people wrote is words, never marks.
    if (prompt.kind === 'say')
      return new SpeakSentence(prompt.text.replace(/[<>]/g, ' '), {
        locale: (prompt.language ?? 'en-US').replace('-', '_'),
      });
    return new PlayAudio(
      prompt.kind === 'play' ? callbacks.file(prompt.fileId) : callbacks.sound('beep'),
    );
  });
}

/** Conferences are named with letters, numbers and a few marks only, and live in one room for all our companies. */
export const conferenceName = (room: string): string =>
  createHash('sha256').update(room).digest('hex').slice(0, 40);
