/**
 * Plays a call through the engine in a scripted world: the carrier always works, prompts take as long as they take to
 * say, destinations do as told. The same `begin` and `step` as the live call, so its answer is the truth.
 */
import type { LegEndCause, VoiceCommand, VoiceEvent } from '../../../gateways/voice.ts';
import { begin } from './begin.ts';
import { step } from './step.ts';
import type {
  CallState,
  EngineEvent,
  Flow,
  Outcome,
  PathStep,
  StepResult,
  EngineInputs,
} from './types.ts';
import { dtmfOfKey, promptSeconds } from './labels.ts';

export type Reaction = 'answers' | 'no answer' | 'busy' | 'declines' | 'no key';
/** What every destination does, or each by its key (E.164, sip uri, `user:7`); `*` stands for all others, which else do not answer. */
export type Reactions = Reaction | Record<string, Reaction>;

export interface SimulationStep extends PathStep {
  i: number;
  /** Seconds until the next step. */
  duration: number;
  /** The route the call is in; null before and outside of any. */
  extension: number | null;
}

export interface Simulation {
  outcome:
    | 'connected'
    | 'voicemail'
    | 'no_answer'
    | 'rejected'
    | 'missed'
    | 'abandoned'
    | 'blocked';
  status: Outcome['status'];
  steps: SimulationStep[];
  warnings: string[];
}

const outcomeNames: Record<Outcome['status'], Simulation['outcome']> = {
  3: 'abandoned',
  4: 'voicemail',
  7: 'rejected',
  8: 'no_answer',
  10: 'missed',
  11: 'abandoned',
  12: 'connected',
  13: 'blocked',
};

const pickUpSeconds = 4;
const talkSeconds = 30;
/** No flow needs so many; a flow that does is broken, and says so. */
const maxEvents = 2000;

type SimulatedEvent = VoiceEvent extends infer E
  ? E extends VoiceEvent
    ? Omit<E, 'id' | 'call' | 'seq' | 'at'>
    : never
  : never;

/** What is tried. `draw`, `turns` and `lastAnswered` are those of the next live call when its path is to be foretold. */
export interface SimulationInput extends Pick<EngineInputs, 'turns' | 'lastAnswered'> {
  from: string;
  /** Epoch ms. */
  at: number;
  pressed?: string[] | undefined;
  state?: string | undefined;
  answers?: Reactions | undefined;
  draw?: number[] | undefined;
}

export function simulate(flow: Flow, call: SimulationInput): Simulation {
  const carrier = new SimulatedCarrier(call.answers ?? 'answers', call.pressed ?? []);
  const first = begin(
    flow,
    {
      callId: 'simulation',
      leg: 'caller',
      from: call.from,
      to: flow.number.number,
      state: call.state,
    },
    { now: call.at, draw: call.draw ?? [0], turns: call.turns, lastAnswered: call.lastAnswered },
  );
  const state = carrier.play(first, call.at);
  const extensions = extensionsOf(state);
  const steps = state.path.map((line, i) => ({
    i,
    ...line,
    duration: Math.max(0, Math.round(((state.path[i + 1]?.at ?? line.at) - line.at) / 1000)),
    extension: extensions[i] ?? null,
  }));
  const status = state.outcome?.status ?? 10;
  const warnings = [...flow.warnings];
  if (state.outcome === null)
    warnings.push('The call never ended: this configuration leads in a circle.');
  return { outcome: outcomeNames[status], status, steps, warnings };
}

/** For each line of the path the route it belongs to: a line that enters a route names the next of those visited. */
function extensionsOf({ path, visited, flow }: CallState): (number | null)[] {
  let entered = 0;
  let extension: number | null = null;
  return path.map((line) => {
    if (line.node === 'route' && line.rule !== 'loop guard' && line.rule !== 'no route') {
      extension = flow.routes.find((route) => route.id === visited[entered])?.extension ?? null;
      entered += 1;
    }
    return extension;
  });
}

class SimulatedCarrier {
  private queue: { at: number; order: number; event: EngineEvent }[] = [];
  private order = 0;
  private readonly keys: Map<string, string> = new Map();

  constructor(
    private readonly answers: Reactions,
    private readonly pressed: string[],
  ) {}

  play(first: StepResult, at: number): CallState {
    let now = at;
    let { state } = first;
    this.perform(first.commands, state, now);
    for (let i = 0; i < maxEvents && state.phase.name !== 'over'; i += 1) {
      const next = this.queue.toSorted((a, b) => a.at - b.at || a.order - b.order)[0];
      const timer = state.timers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined && timer === undefined) break;
      const useTimer = next === undefined || (timer !== undefined && timer.at < next.at);
      now = Math.max(now, useTimer ? (timer?.at ?? now) : next.at);
      if (!useTimer) this.queue = this.queue.filter((one) => one !== next);
      const result = step(
        state,
        useTimer ? { type: 'timer', id: timer?.id ?? '' } : next.event,
        now,
      );
      state = result.state;
      this.perform(result.commands, state, now);
    }
    return state;
  }

  private schedule(now: number, seconds: number, said: SimulatedEvent): void {
    this.order += 1;
    const at = now + seconds * 1000;
    this.queue.push({
      at,
      order: this.order,
      event: {
        ...said,
        id: `event-${this.order}`,
        call: 'caller',
        seq: this.order,
        at,
      } as VoiceEvent,
    });
  }

  private reactionOf(key: string): Reaction {
    return typeof this.answers === 'string'
      ? this.answers
      : (this.answers[key] ?? this.answers['*'] ?? 'no answer');
  }

  private perform(commands: VoiceCommand[], state: CallState, now: number): void {
    for (const command of commands) this.performOne(command, state, now);
  }

  private performOne(command: VoiceCommand, state: CallState, now: number): void {
    switch (command.do) {
      case 'play':
      case 'whisper':
        this.schedule(now, promptSeconds(command.prompts), {
          type: 'promptEnded',
          leg: command.leg,
          commandId: command.id,
          reason: 'done',
          digits: '',
        });
        return;
      case 'gather': {
        const digits =
          command.leg === state.firstLeg
            ? (this.pressed.shift() ?? '')
            : (this.keys.get(command.leg) ?? '');
        const heard = promptSeconds(command.prompts);
        const seconds = digits === '' ? heard + command.timeoutSeconds : heard + 1;
        this.schedule(now, seconds, {
          type: 'promptEnded',
          leg: command.leg,
          commandId: command.id,
          reason: digits === '' ? 'timeout' : 'digits',
          digits,
        });
        return;
      }
      case 'createLeg':
        this.callDestination(command, state, now);
        return;
      case 'record':
        this.schedule(now, 10, {
          type: 'recordingReady',
          leg: command.leg,
          recordingId: command.recordingId,
          url: '',
          contentType: 'audio/ogg',
          durationMs: 9000,
          channels: 1,
        });
        return;
      case 'bridge':
        this.schedule(now, talkSeconds, { type: 'legEnded', leg: state.firstLeg, cause: 'hangup' });
        return;
      default:
    }
  }

  private callDestination(
    command: Extract<VoiceCommand, { do: 'createLeg' }>,
    state: CallState,
    now: number,
  ): void {
    const leg = state.legs.find((one) => one.id === command.leg);
    const reaction = this.reactionOf(leg?.target?.key ?? '');
    const plan = state.phase.name === 'ringing' ? state.phase.plan : null;
    const key = plan?.groups[leg?.group ?? 0]?.confirm?.key ?? null;
    if (reaction === 'answers' && key !== null) this.keys.set(command.leg, dtmfOfKey(key));
    const causes: Partial<Record<Reaction, LegEndCause>> = { busy: 'busy', declines: 'declined' };
    const cause = causes[reaction];
    if (cause !== undefined)
      this.schedule(now, pickUpSeconds, { type: 'legEnded', leg: command.leg, cause });
    else if (reaction !== 'no answer')
      this.schedule(now, pickUpSeconds, { type: 'legAnswered', leg: command.leg });
  }
}
