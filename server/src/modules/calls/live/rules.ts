/** What the live board shows of a running call. Pure. */
import type { LiveCall } from '#contract/calls/live/schemas';
import type { LiveState } from '#contract/calls/live/rules';
import { externalLegOf, parkedOf, type CallState, type Leg } from '../../routing/index.ts';

type Person = LiveCall['people'][number];
/** What follows from the engine's state alone. Times are epoch ms. */
interface LiveFacts {
  state: LiveState;
  sinceMs: number;
  people: Person[];
  slot: number | null;
  parkedBy: string | null;
  parkedUntilMs: number | null;
  recording: boolean;
  route: string | null;
  monitors: LiveCall['monitors'];
}

/** The live facts of a call. `outsideLabel`: the name of the external party. */
export function liveFacts(s: CallState, outsideLabel: string): LiveFacts {
  const parked = parkedOf(s.phase);
  const state = liveState(s);
  const route = s.flow.routes.find((one) => one.id === s.facts.routeId);
  return {
    state,
    sinceMs: stateSince(s, state),
    people: people(s, state, outsideLabel),
    slot: parked?.slot ?? null,
    parkedBy: parked?.by.label ?? null,
    parkedUntilMs: parked?.until ?? null,
    recording: s.facts.recordings.some((one) => one.state === 'running'),
    route: route ? route.label || `Extension ${route.extension}` : null,
    monitors: (s.monitors ?? []).map((one) => ({
      user_id: one.userId,
      name: s.legs.find((leg) => leg.id === one.leg)?.target?.label ?? '',
      mode: one.mode,
    })),
  };
}

function liveState(s: CallState): LiveState {
  const { phase } = s;
  switch (phase.name) {
    case 'announcing':
    case 'menu':
      return 'waiting';
    case 'calling':
      return 'ringing';
    case 'ringing':
      if (parkedOf(phase)) return 'parked';
      return s.facts.connectedAt === null ? 'ringing' : 'transferring';
    case 'connected':
      if (phase.aside?.for === 'consult' && phase.aside.state !== 'waiting') return 'consulting';
      return phase.held ? 'held' : 'talking';
    case 'parked':
      return 'parked';
    case 'voicemailGreeting':
    case 'voicemail':
      return 'voicemail';
    case 'closing':
    case 'over':
      return 'ending';
    default:
      return 'waiting';
  }
}

/** When the current state began, epoch ms. */
function stateSince(s: CallState, state: LiveState): number {
  const last = (fits: (label: string, code: number | null) => boolean) =>
    s.history.findLast((h) => fits(h.label, h.code))?.at;
  switch (state) {
    case 'ringing':
      return s.phase.name === 'ringing' ? s.phase.beganAt : s.facts.startedAt;
    case 'talking':
      return (
        last((label, code) => code === 12 || label === 'Resumed') ??
        s.facts.connectedAt ??
        s.facts.startedAt
      );
    case 'held':
      return last((label) => label === 'Put on hold') ?? s.facts.startedAt;
    case 'consulting':
      return last((label) => label === 'Consulting') ?? s.facts.startedAt;
    case 'parked':
      return parkedOf(s.phase)?.since ?? s.facts.startedAt;
    case 'transferring':
      return s.phase.name === 'ringing' ? s.phase.beganAt : s.facts.startedAt;
    case 'voicemail':
      return last((_, code) => code === 4) ?? s.facts.startedAt;
    default:
      return s.facts.startedAt;
  }
}

function people(s: CallState, state: LiveState, outsideLabel: string): Person[] {
  const outside = externalLegOf(s);
  return s.legs
    .filter(
      (leg) =>
        leg.role !== 'monitor' &&
        leg.endedAt === null &&
        leg.state !== 'leaving' &&
        leg.state !== 'ended',
    )
    .map((leg) => ({
      leg: leg.id,
      user_id: leg.target?.to.kind === 'app' ? leg.target.to.userId : null,
      label: leg.id === outside ? outsideLabel : (leg.target?.label ?? outsideLabel),
      number:
        leg.id === outside ? null : leg.target?.to.kind === 'phone' ? leg.target.to.number : null,
      role: leg.id === outside ? 'outside' : 'company',
      state: personState(s, state, leg, leg.id === outside),
    }));
}

function personState(
  s: CallState,
  state: LiveState,
  leg: Leg,
  isOutside: boolean,
): Person['state'] {
  const { phase } = s;
  if (phase.name === 'connected') {
    if (phase.aside?.leg === leg.id) return sideCallStates[phase.aside.state];
    return isOutside && phase.held ? 'held' : 'talking';
  }
  if (isOutside && (state === 'parked' || state === 'transferring')) return 'held';
  const answered = leg.state === 'answered' || leg.state === 'confirming';
  return answered || (isOutside && state !== 'ringing') ? 'talking' : 'ringing';
}

const sideCallStates = { ringing: 'ringing', waiting: 'held', talking: 'consulted' } as const;

/** Equal for two states that look the same on the board; '' when the call is over. */
export const boardSignature = (s: CallState | null): string => {
  if (s === null || s.outcome !== null) return '';
  const { sinceMs: _since, parkedUntilMs: _until, ...shown } = liveFacts(s, '');
  return JSON.stringify(shown);
};
