/** One step's working copy of a call: what the rules change, and what they want said and done. */
import type { LegId, Prompt, VoiceCommand } from '../../../gateways/voice.ts';
import type {
  CallState,
  HistoryEntry,
  Leg,
  PathStep,
  Phase,
  StatusCode,
  StepResult,
  Target,
} from './types.ts';
import { statusLabels } from './labels.ts';

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;
export type CommandInput = WithoutId<VoiceCommand>;

export interface Step {
  s: CallState;
  now: number;
  commands: VoiceCommand[];
  historyFrom: number;
  pathFrom: number;
}

export function beginStep(state: CallState, now: number): Step {
  const { flow, world: inputs, history, path, ...rest } = state;
  // Only what can change is copied: the flow and the world are frozen, history and path only grow.
  return {
    s: { ...deepCopy(rest), flow, world: inputs, history: [...history], path: [...path] },
    now,
    commands: [],
    historyFrom: history.length,
    pathFrom: path.length,
  };
}

/** A state is plain JSON, so it is copied in a tenth of the time structuredClone takes. */
function deepCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(deepCopy) as T;
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) copy[key] = deepCopy(inner);
  return copy as T;
}

export function finishStep(step: Step): StepResult {
  return {
    state: step.s,
    commands: step.commands,
    history: step.s.history.slice(step.historyFrom),
    path: step.s.path.slice(step.pathFrom),
  };
}

/** A name nothing else in this call has; the same for the same history, so a repeated step repeats its names. */
export function newId(step: Step): string {
  step.s.next += 1;
  return `${step.s.callId}.${step.s.next}`;
}

export function addCommand(step: Step, input: CommandInput): string {
  const id = newId(step);
  // Hold music of the company's own is a file: whoever asks for it by id need not know.
  const fileId =
    input.do === 'hold' && input.musicId !== null
      ? step.s.flow.musicFiles?.[input.musicId]
      : undefined;
  step.commands.push({ ...input, ...(fileId === undefined ? {} : { fileId }), id } as VoiceCommand);
  return id;
}

export function addHistoryEntry(
  step: Step,
  code: StatusCode | null,
  about: {
    label?: string;
    leg?: LegId | null;
    target?: string | null;
    detail?: string | null;
  } = {},
): void {
  const entry: HistoryEntry = {
    at: step.now,
    code,
    label: about.label ?? (code === null ? '' : statusLabels[code]),
    leg: about.leg ?? null,
    target: about.target ?? null,
    detail: about.detail ?? null,
  };
  step.s.history.push(entry);
}

export function explain(
  step: Step,
  node: PathStep['node'],
  rule: string,
  matched: boolean,
  because: string,
  target: string | null = null,
): void {
  step.s.path.push({ at: step.now, node, rule, matched, because, target });
}

export function startTimer(step: Step, id: string, seconds: number): void {
  step.s.timers.push({ id, at: step.now + Math.round(seconds * 1000) });
}

export function cancelTimer(step: Step, id: string): void {
  step.s.timers = step.s.timers.filter((timer) => timer.id !== id);
}

/** Enter a phase: the timers of the one before it mean nothing any more. */
export function enterPhase(step: Step, phase: Phase): void {
  step.s.timers = [];
  step.s.confirming = {};
  step.s.phase = phase;
}

/** Should a report get lost, the call moves on by itself. Ids are never used twice, so a late timer is harmless. */
export function startGuardTimer(step: Step, seconds: number): void {
  startTimer(step, `guard:${newId(step)}`, seconds);
}

export function nextRandom(step: Step): number {
  const { draw: draws } = step.s.world;
  const drawn = draws.length === 0 ? 0 : (draws[step.s.draws % draws.length] ?? 0);
  step.s.draws += 1;
  return drawn;
}

export function findLeg(step: Step, id: LegId): Leg | undefined {
  return step.s.legs.find((leg) => leg.id === id);
}

export function addLeg(
  step: Step,
  role: Leg['role'],
  target: Target | null,
  group: number | null,
): Leg {
  const leg: Leg = {
    id: newId(step),
    role,
    state: 'ringing',
    target,
    group,
    startedAt: step.now,
    answeredAt: null,
    endedAt: null,
    cause: null,
  };
  step.s.legs.push(leg);
  return leg;
}

/** Legs of destinations that ring, or have picked up and are not yet connected. */
export function pendingLegs(step: Step): Leg[] {
  return step.s.legs.filter(
    (leg) =>
      leg.role === 'target' &&
      (leg.state === 'ringing' || leg.state === 'answered' || leg.state === 'confirming'),
  );
}

export function answerFirstLeg(step: Step): void {
  if (step.s.answered) return;
  step.s.answered = true;
  addCommand(step, { do: 'answer', leg: step.s.firstLeg });
}

/** The welcome, the first time it is asked for in a call. */
export function welcomeOnce(step: Step): Prompt[] {
  const { s } = step;
  const welcome = s.flow.welcome ?? [];
  if (s.welcomed === true || welcome.length === 0) return [];
  s.welcomed = true;
  explain(step, 'announcement', 'welcome', true, 'The caller hears the greeting first.');
  return welcome;
}

export function endFirstLegHold(step: Step): void {
  if (!step.s.waiting) return;
  step.s.waiting = false;
  addCommand(step, { do: 'hold', leg: step.s.firstLeg, on: false, musicId: null });
}
