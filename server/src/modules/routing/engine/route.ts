/** A call enters a route: hours, plan, recording notice, ringing. */
import type { Prompt } from '../../../gateways/voice.ts';
import { playAndHangUp } from './finish.ts';
import { isOpen } from './hours.ts';
import { toDestination, toTarget } from './ringing/destinations.ts';
import { noAnswerEnding, planRoute, sourceConfirm } from './ringing/plan.ts';
import { ringPlan } from './ringing/ring.ts';
import {
  answerFirstLeg,
  addCommand,
  nextRandom,
  enterPhase,
  startGuardTimer,
  welcomeOnce,
  explain,
  type Step,
} from './step-context.ts';
import type { Route, RingPlan } from './types.ts';
import { promptSeconds, sayPrompt } from './labels.ts';
import { sendToVoicemail } from './voicemail.ts';

/** Loop guard: the most routes of a call, and the most forwards between our numbers (A7.1). */
export const maxHops = 5;

/** Sends the call into a route, unless it has been there already. */
export function routeCall(step: Step, routeId: number, because: string): void {
  const { s } = step;
  const route = s.flow.routes.find((one) => one.id === routeId);
  if (route === undefined) {
    noRoute(step, 'This number doesn’t have that route.');
    return;
  }
  if (s.visited.includes(routeId) || s.visited.length >= maxHops) {
    explain(step, 'route', 'loop guard', true, `Route ${routeTitle(route)} leads in a circle.`);
    sendToVoicemail(step, route.voicemail.greeting, 'The routes lead in a circle.');
    return;
  }
  s.visited.push(routeId);
  s.facts.routeId = routeId;
  s.facts.extension = route.extension;
  s.facts.extensionLabel = route.label === '' ? null : route.label;
  s.facts.emailAlertAddresses = route.emailAlertAddresses;
  explain(step, 'route', route.type, true, because, routeTitle(route));

  if (route.hours !== null) {
    // Evaluated at call start only, however long the caller took in the menu (A7.3).
    const answer = isOpen(route.hours, s.facts.startedAt);
    explain(step, 'hours', 'business hours', answer.open, answer.because);
    if (answer.rule === 'direct voicemail') {
      sendToVoicemail(step, route.voicemail.greeting, answer.because);
      return;
    }
    if (!answer.open) {
      afterHours(step, route, answer.because);
      return;
    }
  }
  if (route.type === 'voicemail') {
    sendToVoicemail(step, route.voicemail.greeting, 'This route goes straight to voicemail.');
    return;
  }
  const plan = planRoute(route, {
    flow: s.flow,
    from: s.from,
    callerState: s.callerState,
    at: s.facts.startedAt,
    inputs: s.world,
    nextRandom: () => nextRandom(step),
    explain: (rule, matched, reason, target) =>
      explain(step, 'ring', rule, matched, reason, target),
  });
  // In-app calling with no active user follows the after-hours action (A7.1).
  if (plan.groups.length === 0 && route.type === 'in-app-calling' && route.afterHours !== null) {
    afterHours(step, route, 'No one is active in the app.');
    return;
  }
  announceThenRing(step, plan);
}

function routeTitle(route: Route): string {
  return route.label === '' ? `extension ${route.extension}` : route.label;
}

/** Plays welcome and recording notice first: once per call, and only if something will ring. */
function announceThenRing(step: Step, plan: RingPlan): void {
  const { s } = step;
  const { announcement, on } = s.flow.recording;
  const notice = on && !s.announced ? (announcement ?? []) : [];
  const prompts = plan.groups.length === 0 ? [] : [...welcomeOnce(step), ...notice];
  if (prompts.length === 0) {
    ringPlan(step, plan);
    return;
  }
  answerFirstLeg(step);
  if (notice.length > 0) {
    s.announced = true;
    explain(
      step,
      'announcement',
      'recording announcement',
      true,
      'Calls on this number are recorded, so an announcement plays first.',
    );
  }
  const commandId = addCommand(step, { do: 'play', leg: s.firstLeg, prompts });
  enterPhase(step, { name: 'announcing', commandId, plan });
  startGuardTimer(step, promptSeconds(prompts) * 2 + 20);
}

const closedPrompts = ({ s }: Step): Prompt[] =>
  s.flow.closed ?? [sayPrompt(s.flow.words.afterHours)];

/** Follows the route's after-hours action; without one, its voicemail or the closed message. */
function afterHours(step: Step, route: Route, because: string): void {
  const action = route.afterHours;
  const next = action === null ? 'No after-hours action is set.' : `After hours: ${action.action}.`;
  explain(step, 'hours', 'after hours', true, `${because} ${next}`);
  if (action === null) {
    if (route.voicemail.enabled) sendToVoicemail(step, route.voicemail.greeting, because);
    else playAndHangUp(step, closedPrompts(step), 10, because);
    return;
  }
  switch (action.action) {
    case 'voicemail':
      sendToVoicemail(step, route.voicemail.greeting, because);
      return;
    case 'greeting':
      playAndHangUp(
        step,
        action.prompts.length === 0 ? closedPrompts(step) : action.prompts,
        10,
        because,
      );
      return;
    case 'route':
      routeCall(step, action.routeId, because);
      return;
    case 'forward':
      forwardAfterHours(step, route, action.number);
  }
}

/** Rings the after-hours number, unless it forwards back to this one. */
function forwardAfterHours(step: Step, route: Route, number: string): void {
  const { s } = step;
  const target = toTarget(route, toDestination(number), { flow: s.flow, from: s.from });
  const loop = target.key === s.flow.number.number || s.flow.loops.includes(target.key);
  if (loop) {
    const because = `${target.label} leads back to this number and isn’t rung.`;
    explain(step, 'ring', 'loop guard', false, because, target.key);
  }
  announceThenRing(step, {
    routeId: route.id,
    groups: loop ? [] : [{ targets: [target], startAfter: 0, confirm: sourceConfirm(s.flow) }],
    holdMusicId: route.holdMusicId,
    otherwise: noAnswerEnding(
      route,
      s.flow,
      'No one answered the call after hours.',
      loop ? 10 : 8,
    ),
  });
}

/** No route to follow: the number's voicemail, else the "unavailable" message. */
export function noRoute(step: Step, because: string): void {
  const { s } = step;
  explain(step, 'route', 'no route', false, because);
  if (s.flow.voicemail.enabled) sendToVoicemail(step, null, because);
  else playAndHangUp(step, [sayPrompt(s.flow.words.unavailable)], 10, because);
}
