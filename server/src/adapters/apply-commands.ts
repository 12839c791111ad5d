import type { LegId, VoiceCommand } from '../gateways/voice.ts';
import type { LegInstruction } from './leg-instruction.ts';
import type { CarrierLegStore } from './carrier-leg-store.ts';

type CreateLeg = Extract<VoiceCommand, { do: 'createLeg' }>;
/** What differs between carriers that are told by documents. */
export interface LegDriver {
  store: CarrierLegStore<LegInstruction>;
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
export async function applyCommands(
  driver: LegDriver,
  commands: readonly VoiceCommand[],
): Promise<void> {
  const legs = new Set<LegId>();
  const requests: (() => Promise<void>)[] = [];
  for (const command of commands) await applyCommand(driver, command, legs, requests);
  const results = await Promise.allSettled([
    ...[...legs].map((leg) => driver.deliver(leg)),
    ...requests.map((request) => request()),
  ]);
  const failed = results.find((d) => d.status === 'rejected');
  if (failed) throw failed.reason;
}

async function applyCommand(
  driver: LegDriver,
  command: VoiceCommand,
  legs: Set<LegId>,
  requests: (() => Promise<void>)[],
): Promise<void> {
  const { store } = driver;
  const instruct = async (leg: LegId, instruction: LegInstruction) => {
    await store.setInstruction(leg, command.id, instruction);
    legs.add(leg);
  };
  const followUp = (rest: LegId | (() => Promise<void>) | undefined) => {
    if (typeof rest === 'string') legs.add(rest);
    else if (rest) requests.push(rest);
  };
  switch (command.do) {
    case 'answer':
      if (await store.claimCommand(command.leg, command.id))
        await store.mergeFacts(command.leg, { picked: true });
      return;
    case 'play':
    case 'whisper':
      return instruct(command.leg, { kind: 'play', command: command.id, prompts: command.prompts });
    case 'gather':
      return instruct(command.leg, {
        kind: 'gather',
        command: command.id,
        prompts: command.prompts,
        maxDigits: command.maxDigits,
        timeoutSeconds: command.timeoutSeconds,
        finishOn: command.finishOn ?? '',
      });
    case 'hold':
      return instruct(
        command.leg,
        command.on
          ? { kind: 'music', musicId: command.musicId, file: command.fileId ?? null }
          : { kind: 'wait' },
      );
    case 'record':
      return instruct(command.leg, {
        kind: 'record',
        recordingId: command.recordingId,
        maxSeconds: command.maxSeconds,
        beep: command.beep,
        silenceSeconds: command.silenceSeconds,
      });
    case 'bridge':
      for (const leg of command.legs)
        await instruct(leg, {
          kind: 'room',
          room: command.legs.join('~'),
          muted: false,
          coach: null,
        });
      return;
    case 'unbridge':
      for (const leg of command.legs) await instruct(leg, { kind: 'wait' });
      return;
    case 'join':
      return instruct(command.leg, {
        kind: 'room',
        room: command.room,
        muted: command.role === 'listen',
        coach: command.role === 'whisper' ? (command.to?.[0] ?? null) : null,
      });
    case 'leave':
      return instruct(command.leg, { kind: 'wait' });
    case 'sendDigits': {
      const row = await store.read(command.leg);
      return (
        row &&
        instruct(command.leg, {
          kind: 'keys',
          command: command.id,
          digits: command.digits,
          then: row.doing.kind === 'keys' ? row.doing.then : row.doing,
        })
      );
    }
    case 'hangup':
    case 'cancelLeg':
      return instruct(command.leg, { kind: 'hangup' });
    case 'reject':
      return instruct(command.leg, { kind: 'reject', because: command.because });
    case 'createLeg':
      await store.open({
        leg: command.leg,
        call: command.onBehalfOf ?? command.leg,
        from: command.callerId,
        to: JSON.stringify(command.to),
        inbound: false,
        state: 'wanted',
        doing: { kind: 'wait' },
      });
      return void requests.push(() => driver.createLeg(command));
    case 'startRecording':
      return followUp(await driver.startRecording(command.recordingId, command.legs[0]));
    case 'recordSides': {
      const [leg] = [...command.sides[0], ...command.sides[1]];
      return leg === undefined
        ? undefined
        : followUp(await driver.startRecording(command.recordingId, leg));
    }
    case 'stopRecording':
      return followUp(await driver.stopRecording(command.recordingId));
  }
}
