import type { LegId, VoiceCommand } from '../ports/voice.ts';
import type { Doing } from './doing.ts';
import type { LegBook } from './leg-book.ts';

type CreateLeg = Extract<VoiceCommand, { do: 'createLeg' }>;
/** What differs between carriers that are told by documents. */
export interface Teller {
  book: LegBook<Doing>;
  createLeg(command: CreateLeg): Promise<void>;
  /** Tell the carrier what a leg should do, unless it has it already or will ask for it by itself. */
  deliver(leg: LegId): Promise<void>;
  /** Answers the leg whose document changed by it, or what is left to ask of the carrier. */
  startRecording(recordingId: string, leg: LegId): Promise<LegId | (() => Promise<void>)>;
  stopRecording(recordingId: string): Promise<LegId | (() => Promise<void>) | undefined>;
}

/**
 * First everything is written down, then each leg that has something new is told once, however many commands led to it: by
 * the webhook being answered right now, or by a request. Doing all of it again changes nothing.
 */
export async function performByDocuments(
  teller: Teller,
  commands: readonly VoiceCommand[],
): Promise<void> {
  const legs = new Set<LegId>();
  const after: (() => Promise<void>)[] = [];
  for (const command of commands) await write(teller, command, legs, after);
  const done = await Promise.allSettled([
    ...[...legs].map((leg) => teller.deliver(leg)),
    ...after.map((work) => work()),
  ]);
  const failed = done.find((d) => d.status === 'rejected');
  if (failed) throw failed.reason;
}

async function write(
  teller: Teller,
  command: VoiceCommand,
  legs: Set<LegId>,
  after: (() => Promise<void>)[],
): Promise<void> {
  const { book } = teller;
  const tell = async (leg: LegId, doing: Doing) => {
    await book.told(leg, command.id, doing);
    legs.add(leg);
  };
  const left = (rest: LegId | (() => Promise<void>) | undefined) => {
    if (typeof rest === 'string') legs.add(rest);
    else if (rest) after.push(rest);
  };
  switch (command.do) {
    case 'answer':
      if (await book.first(command.leg, command.id))
        await book.remember(command.leg, { picked: true });
      return;
    case 'play':
    case 'whisper':
      return tell(command.leg, { kind: 'play', command: command.id, prompts: command.prompts });
    case 'gather':
      return tell(command.leg, {
        kind: 'gather',
        command: command.id,
        prompts: command.prompts,
        maxDigits: command.maxDigits,
        timeoutSeconds: command.timeoutSeconds,
        finishOn: command.finishOn ?? '',
      });
    case 'hold':
      return tell(
        command.leg,
        command.on
          ? { kind: 'music', musicId: command.musicId, file: command.fileId ?? null }
          : { kind: 'wait' },
      );
    case 'record':
      return tell(command.leg, {
        kind: 'record',
        recordingId: command.recordingId,
        maxSeconds: command.maxSeconds,
        beep: command.beep,
        silenceSeconds: command.silenceSeconds,
      });
    case 'bridge':
      for (const leg of command.legs)
        await tell(leg, { kind: 'room', room: command.legs.join('~'), muted: false, coach: null });
      return;
    case 'unbridge':
      for (const leg of command.legs) await tell(leg, { kind: 'wait' });
      return;
    case 'join':
      return tell(command.leg, {
        kind: 'room',
        room: command.room,
        muted: command.role === 'listen',
        coach: command.role === 'whisper' ? (command.to?.[0] ?? null) : null,
      });
    case 'leave':
      return tell(command.leg, { kind: 'wait' });
    case 'sendDigits': {
      const row = await book.read(command.leg);
      return (
        row &&
        tell(command.leg, {
          kind: 'keys',
          command: command.id,
          digits: command.digits,
          then: row.doing.kind === 'keys' ? row.doing.then : row.doing,
        })
      );
    }
    case 'hangup':
    case 'cancelLeg':
      return tell(command.leg, { kind: 'hangup' });
    case 'reject':
      return tell(command.leg, { kind: 'reject', because: command.because });
    case 'createLeg':
      await book.open({
        leg: command.leg,
        call: command.onBehalfOf ?? command.leg,
        from: command.callerId,
        to: JSON.stringify(command.to),
        inbound: false,
        state: 'wanted',
        doing: { kind: 'wait' },
      });
      return void after.push(() => teller.createLeg(command));
    case 'startRecording':
      return left(await teller.startRecording(command.recordingId, command.legs[0]));
    case 'recordSides': {
      const [leg] = [...command.sides[0], ...command.sides[1]];
      return leg === undefined
        ? undefined
        : left(await teller.startRecording(command.recordingId, leg));
    }
    case 'stopRecording':
      return left(await teller.stopRecording(command.recordingId));
  }
}
