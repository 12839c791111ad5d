/**
 * The destinations of a route: which may ring now, in what form, and which one geo routing picks.
 */
import { areaCodeOf, formatPhone } from '#contract/phone';
import { isOpen } from '../hours.ts';
import { pauseOf } from '../person-pause.ts';
import type { EngineInputs, Flow, Forward, Route, Target } from '../types.ts';

/** What a plan depends on besides the route. `nextRandom` takes the call's next random number. */
export interface PlanContext {
  flow: Flow;
  from: string;
  callerState: string | null;
  /** Call start, epoch ms; hours are evaluated at this instant only (A7.3). */
  at: number;
  inputs: EngineInputs;
  nextRandom: () => number;
  explain: (rule: string, matched: boolean, because: string, target: string | null) => void;
}

/** A forward with defaults for a bare number (string) or user id (number). */
export function toDestination(to: number | string): Forward {
  return {
    id: null,
    number: typeof to === 'string' ? to : null,
    userId: typeof to === 'number' ? to : null,
    label: '',
    weight: null,
    timeoutSeconds: null,
    hours: null,
    areaCodes: [],
    states: [],
    callerId: null,
    customCallerId: null,
  };
}

/** Identifies a destination within a call: E.164, SIP URI, `user:7` or `team:9`. */
export function targetKey(forward: Forward): string {
  if (forward.team) return `team:${forward.team.id}`;
  return forward.userId === null ? (forward.number ?? '') : `user:${forward.userId}`;
}

/** A number formatted for display; a SIP URI unchanged. */
export const displayNumber = (number: string) =>
  number.startsWith('+') ? formatPhone(number) : number;

/** The label, else the formatted number or the user's name. */
export function forwardName(forward: Forward, flow: Flow): string {
  if (forward.label !== '') return forward.label;
  if (forward.userId === null) return displayNumber(forward.number ?? '');
  return (
    flow.people.find((person) => person.userId === forward.userId)?.name ?? `User ${forward.userId}`
  );
}

/**
 * The forwards that may ring now, without duplicates; explains each one that may not. A team has those
 * of its people who may. `only`: one of the forwards is rung, so a person may be in several.
 */
export function availableForwards(
  forwards: Forward[],
  context: PlanContext,
  only?: 'one',
): Forward[] {
  const seen = new Set<string>();
  return forwards.flatMap((forward) => {
    if (!forward.team) return reachableAmong([forward], seen, context);
    const others = only === 'one' ? new Set<string>() : seen;
    const members = reachableAmong(forward.team.members, others, context);
    if (members.length > 0) return [{ ...forward, team: { ...forward.team, members } }];
    const because =
      forward.team.members.length === 0
        ? `${forward.label} has no one in it.`
        : `No one in ${forward.label} can be rung.`;
    context.explain('team', false, because, targetKey(forward));
    return [];
  });
}

/** Those that may ring now and weren't `seen` before; explains each one that may not. */
function reachableAmong(forwards: Forward[], seen: Set<string>, context: PlanContext): Forward[] {
  return forwards.filter((forward) => {
    const key = targetKey(forward);
    const reason = seen.has(key)
      ? {
          rule: 'once only',
          because: `${forwardName(forward, context.flow)} is in this route twice and is rung once.`,
        }
      : unavailableReason(forward, context);
    seen.add(key);
    if (reason !== null) context.explain(reason.rule, false, reason.because, key);
    return reason === null;
  });
}

/** Why a destination may not ring now; null = it may. */
function unavailableReason(
  forward: Forward,
  { flow, at }: PlanContext,
): { rule: string; because: string } | null {
  const key = targetKey(forward);
  const name = forwardName(forward, flow);
  if (key === flow.number.number || flow.loops.includes(key))
    return { rule: 'loop guard', because: `${name} leads back to this number and isn’t rung.` };
  if (forward.userId !== null) {
    const person = flow.people.find((one) => one.userId === forward.userId);
    if (person?.excluded)
      return {
        rule: 'numbers of the person',
        because: `${name} can’t see this number, so it doesn’t ring them.`,
      };
    const pause = person ? pauseOf(person, at) : null;
    if (pause !== null)
      return {
        rule: pause.reason === 'outside_hours' ? 'hours of the person' : 'do not disturb',
        because: `${name}: ${pause.because}`,
      };
    if (person?.reachable !== true)
      return { rule: 'in-app status', because: `${name} is away or has no device connected.` };
  }
  if (forward.hours !== null) {
    const answer = isOpen(forward.hours, at);
    if (!answer.open)
      return { rule: 'hours of the destination', because: `${name}: ${answer.because}` };
  }
  return null;
}

/** Forwards as ring targets of the route; a team as its people. */
export function toTargets(route: Route, forwards: Forward[], context: PlanContext): Target[] {
  return forwards.flatMap((forward) => {
    if (!forward.team) return [toTarget(route, forward, context)];
    const team = { key: targetKey(forward), label: forward.label };
    return forward.team.members.map((one) => ({ ...toTarget(route, one, context), team }));
  });
}

/** A forward as a ring target, with caller ID and timeout resolved from the route. */
export function toTarget(
  route: Route,
  forward: Forward,
  context: Pick<PlanContext, 'flow' | 'from'>,
): Target {
  const number = forward.number ?? '';
  return {
    key: targetKey(forward),
    to:
      forward.userId !== null
        ? { kind: 'app', userId: forward.userId, companyId: context.flow.company.id }
        : number.startsWith('sip:')
          ? { kind: 'sip', uri: number }
          : { kind: 'phone', number },
    label: forwardName(forward, context.flow),
    callerId: callerIdFor(route, forward, context),
    forwardId: forward.id,
    timeoutSeconds: forward.timeoutSeconds ?? route.timeoutSeconds,
    ...(forward.confirmKey ? { confirmKey: forward.confirmKey } : {}),
    ...(forward.digits ? { digits: forward.digits } : {}),
  };
}

/**
 * The caller's number unless route or destination override it; our own when the caller's is
 * withheld.
 */
function callerIdFor(
  route: Route,
  forward: Forward,
  context: Pick<PlanContext, 'flow' | 'from'>,
): string {
  const ours = context.flow.number.number;
  const mode = forward.callerId ?? (route.callerIdPassThru ? 'pass' : 'tracking');
  if (mode === 'custom') return forward.customCallerId ?? ours;
  return mode === 'pass' && context.from.startsWith('+') ? context.from : ours;
}

/**
 * Geo routing (A7.1): by area code, then by state, then "all other areas" (neither set). At most
 * one.
 */
export function forwardsByGeo(route: Route, context: PlanContext): Forward[] {
  const available = availableForwards(route.forwards, context, 'one');
  const areaCode = areaCodeOf(context.from);
  const byArea = available.filter(
    (forward) => areaCode !== null && forward.areaCodes.includes(areaCode),
  );
  if (byArea.length > 0) {
    const because = `The caller's area code ${areaCode} has its own destination.`;
    context.explain('area code', true, because, null);
    return byArea.slice(0, 1);
  }
  const { callerState } = context;
  const byState =
    route.geoByState && callerState !== null
      ? available.filter((forward) => forward.states.includes(callerState))
      : [];
  if (byState.length > 0) {
    const because = `The caller's state ${callerState} has its own destination.`;
    context.explain('state', true, because, null);
    return byState.slice(0, 1);
  }
  const others = route.geoByStateStaticFallback
    ? available.filter((forward) => forward.areaCodes.length === 0 && forward.states.length === 0)
    : [];
  context.explain(
    'all other areas',
    others.length > 0,
    others.length > 0
      ? 'No destination covers the caller’s area, so all other areas applies.'
      : 'No destination covers the caller’s area.',
    null,
  );
  return others.slice(0, 1);
}
