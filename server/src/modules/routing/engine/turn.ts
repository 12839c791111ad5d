/** One step's working copy of a call: what the rules change, and what they want said and done. */
import type { LegId, Prompt, VoiceCommand } from '../../../ports/voice.ts';
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
import { statusLabels } from './words.ts';

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;
export type CommandWords = WithoutId<VoiceCommand>;

export interface Turn {
  s: CallState;
  now: number;
  commands: VoiceCommand[];
  historyFrom: number;
  pathFrom: number;
}

export function takeTurn(state: CallState, now: number): Turn {
  const { flow, world, history, path, ...rest } = state;
  // Only what can change is copied: the flow and the world are frozen, history and path only grow.
  return {
    s: { ...copied(rest), flow, world, history: [...history], path: [...path] },
    now,
    commands: [],
    historyFrom: history.length,
    pathFrom: path.length,
  };
}

/** A state is plain JSON, so it is copied in a tenth of the time structuredClone takes. */
function copied<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied) as T;
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) copy[key] = copied(inner);
  return copy as T;
}

export function endTurn(turn: Turn): StepResult {
  return {
    state: turn.s,
    commands: turn.commands,
    history: turn.s.history.slice(turn.historyFrom),
    path: turn.s.path.slice(turn.pathFrom),
  };
}

/** A name nothing else in this call has; the same for the same history, so a repeated step repeats its names. */
export function name(turn: Turn): string {
  turn.s.next += 1;
  return `${turn.s.callId}.${turn.s.next}`;
}

export function command(turn: Turn, words: CommandWords): string {
  const id = name(turn);
  // Hold music of the company's own is a file: whoever asks for it by id need not know.
  const fileId =
    words.do === 'hold' && words.musicId !== null
      ? turn.s.flow.musicFiles?.[words.musicId]
      : undefined;
  turn.commands.push({ ...words, ...(fileId === undefined ? {} : { fileId }), id } as VoiceCommand);
  return id;
}

export function note(
  turn: Turn,
  code: StatusCode | null,
  about: {
    label?: string;
    leg?: LegId | null;
    target?: string | null;
    detail?: string | null;
  } = {},
): void {
  const entry: HistoryEntry = {
    at: turn.now,
    code,
    label: about.label ?? (code === null ? '' : statusLabels[code]),
    leg: about.leg ?? null,
    target: about.target ?? null,
    detail: about.detail ?? null,
  };
  turn.s.history.push(entry);
}

export function why(
  turn: Turn,
  node: PathStep['node'],
  rule: string,
  matched: boolean,
  because: string,
  target: string | null = null,
): void {
  turn.s.path.push({ at: turn.now, node, rule, matched, because, target });
}

export function arm(turn: Turn, id: string, seconds: number): void {
  turn.s.timers.push({ id, at: turn.now + Math.round(seconds * 1000) });
}

export function disarm(turn: Turn, id: string): void {
  turn.s.timers = turn.s.timers.filter((timer) => timer.id !== id);
}

/** Enter a phase: the timers of the one before it mean nothing any more. */
export function enter(turn: Turn, phase: Phase): void {
  turn.s.timers = [];
  turn.s.confirming = {};
  turn.s.phase = phase;
}

/** Should a report get lost, the call moves on by itself. Ids are never used twice, so a late timer is harmless. */
export function guard(turn: Turn, seconds: number): void {
  arm(turn, `guard:${name(turn)}`, seconds);
}

export function draw(turn: Turn): number {
  const { draw: draws } = turn.s.world;
  const drawn = draws.length === 0 ? 0 : (draws[turn.s.draws % draws.length] ?? 0);
  turn.s.draws += 1;
  return drawn;
}

export function legOf(turn: Turn, id: LegId): Leg | undefined {
  return turn.s.legs.find((leg) => leg.id === id);
}

export function newLeg(
  turn: Turn,
  role: Leg['role'],
  target: Target | null,
  group: number | null,
): Leg {
  const leg: Leg = {
    id: name(turn),
    role,
    state: 'ringing',
    target,
    group,
    startedAt: turn.now,
    answeredAt: null,
    endedAt: null,
    cause: null,
  };
  turn.s.legs.push(leg);
  return leg;
}

/** Legs of destinations that ring, or have picked up and are not yet connected. */
export function trying(turn: Turn): Leg[] {
  return turn.s.legs.filter(
    (leg) =>
      leg.role === 'target' &&
      (leg.state === 'ringing' || leg.state === 'answered' || leg.state === 'confirming'),
  );
}

export function answerFirstLeg(turn: Turn): void {
  if (turn.s.answered) return;
  turn.s.answered = true;
  command(turn, { do: 'answer', leg: turn.s.firstLeg });
}

/** The welcome, the first time it is asked for in a call. */
export function welcomeOnce(turn: Turn): Prompt[] {
  const { s } = turn;
  const welcome = s.flow.welcome ?? [];
  if (s.welcomed === true || welcome.length === 0) return [];
  s.welcomed = true;
  why(turn, 'announcement', 'welcome', true, 'The caller is welcomed first.');
  return welcome;
}

export function stopWaiting(turn: Turn): void {
  if (!turn.s.waiting) return;
  turn.s.waiting = false;
  command(turn, { do: 'hold', leg: turn.s.firstLeg, on: false, musicId: null });
}
