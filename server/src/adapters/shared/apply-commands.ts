import type { LegId, VoiceCommand } from '../../gateways/voice.ts';
import type { CarrierLegStore } from './carrier-leg-store.ts';
import type { LegInstruction } from './leg-instruction.ts';

type CreateLeg = Extract<VoiceCommand, { do: 'createLeg' }>;

/** What is left to do for a recording: deliver a leg's new instruction, or send a request. */
type FollowUp = LegId | (() => Promise<void>) | undefined;

/**
 * How a carrier that works with documents (TwiML, BXML) carries out what the commands left in the
 * store.
 */
interface LegDriver {
  store: CarrierLegStore<LegInstruction>;
  createLeg(command: CreateLeg): Promise<void>;
  /** Sends a leg's instruction, unless the carrier has it already or will request it. */
  deliver(leg: LegId): Promise<void>;
  startRecording(recordingId: string, leg: LegId): Promise<FollowUp>;
  stopRecording(recordingId: string): Promise<FollowUp>;
}

/**
 * Stores what all commands mean, then delivers each changed leg once: in the response to the
 * webhook that is being answered, or by a request. Applying the same commands again changes
 * nothing. Throws the first failure after everything was tried.
 */
export async function applyCommands(
  driver: LegDriver,
  commands: readonly VoiceCommand[],
): Promise<void> {
  const changes = new CommandChanges(driver);
  for (const command of commands) await changes.add(command);
  await changes.deliver();
}

class CommandChanges {
  readonly #legs = new Set<LegId>();
  readonly #requests: (() => Promise<void>)[] = [];

  constructor(private readonly driver: LegDriver) {}

  async deliver(): Promise<void> {
    const results = await Promise.allSettled([
      ...[...this.#legs].map((leg) => this.driver.deliver(leg)),
      ...this.#requests.map((request) => request()),
    ]);
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async add(command: VoiceCommand): Promise<void> {
    const { driver } = this;
    const { store } = driver;
    switch (command.do) {
      case 'answer':
        if (await store.claimCommand(command.leg, command.id))
          await store.mergeFacts(command.leg, { picked: true });
        return;
      case 'bridge':
      case 'unbridge':
        for (const leg of command.legs)
          await this.#instruct(leg, command.id, jointInstruction(command));
        return;
      case 'sendDigits': {
        const row = await store.read(command.leg);
        if (!row) return;
        const then = row.doing.kind === 'keys' ? row.doing.then : row.doing;
        const { digits } = command;
        const instruction = { kind: 'keys' as const, command: command.id, digits, then };
        return this.#instruct(command.leg, command.id, instruction);
      }
      case 'createLeg':
        return this.#createLeg(command);
      case 'startRecording':
        return this.#followUp(await driver.startRecording(command.recordingId, command.legs[0]));
      case 'recordSides': {
        const [leg] = [...command.sides[0], ...command.sides[1]];
        if (leg === undefined) return;
        return this.#followUp(await driver.startRecording(command.recordingId, leg));
      }
      case 'stopRecording':
        return this.#followUp(await driver.stopRecording(command.recordingId));
      default:
        return this.#instruct(command.leg, command.id, instructionFor(command));
    }
  }

  async #instruct(leg: LegId, commandId: string, instruction: LegInstruction): Promise<void> {
    await this.driver.store.setInstruction(leg, commandId, instruction);
    this.#legs.add(leg);
  }

  async #createLeg(command: CreateLeg): Promise<void> {
    await this.driver.store.open({
      leg: command.leg,
      call: command.onBehalfOf ?? command.leg,
      from: command.callerId,
      to: JSON.stringify(command.to),
      inbound: false,
      state: 'wanted',
      doing: { kind: 'wait' },
    });
    this.#requests.push(() => this.driver.createLeg(command));
  }

  #followUp(followUp: FollowUp): void {
    if (typeof followUp === 'string') this.#legs.add(followUp);
    else if (followUp) this.#requests.push(followUp);
  }
}

/** Bridged legs meet in a conference of their own. */
const jointInstruction = (
  command: Extract<VoiceCommand, { do: 'bridge' | 'unbridge' }>,
): LegInstruction =>
  command.do === 'bridge'
    ? { kind: 'room', room: command.legs.join('~'), muted: false, coach: null }
    : { kind: 'wait' };

type InstructionCommand = Extract<
  VoiceCommand,
  {
    do:
      | 'play'
      | 'whisper'
      | 'gather'
      | 'hold'
      | 'record'
      | 'join'
      | 'leave'
      | 'hangup'
      | 'cancelLeg'
      | 'reject';
  }
>;

/** The instruction that a command gives its leg. */
function instructionFor(command: InstructionCommand): LegInstruction {
  switch (command.do) {
    case 'play':
    case 'whisper':
      return { kind: 'play', command: command.id, prompts: command.prompts };
    case 'gather':
      return {
        kind: 'gather',
        command: command.id,
        prompts: command.prompts,
        maxDigits: command.maxDigits,
        timeoutSeconds: command.timeoutSeconds,
        finishOn: command.finishOn ?? '',
      };
    case 'hold':
      return command.on
        ? { kind: 'music', musicId: command.musicId, file: command.fileId ?? null }
        : { kind: 'wait' };
    case 'record': {
      const { recordingId, maxSeconds, beep, silenceSeconds } = command;
      return { kind: 'record', recordingId, maxSeconds, beep, silenceSeconds };
    }
    case 'join':
      return {
        kind: 'room',
        room: command.room,
        muted: command.role === 'listen',
        coach: command.role === 'whisper' ? (command.to?.[0] ?? null) : null,
      };
    case 'leave':
      return { kind: 'wait' };
    case 'hangup':
    case 'cancelLeg':
      return { kind: 'hangup' };
    case 'reject':
      return { kind: 'reject', because: command.because };
  }
}
