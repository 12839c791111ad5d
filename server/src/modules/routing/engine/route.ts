/** A call enters a route: hours, plan, recording notice, ringing. */
import type { Prompt } from '../../../gateways/voice.ts';
import { playAndHangUp } from './finish.ts';
import { isOpen } from './hours.ts';
import { toDestination, noAnswerEnding, planRoute, toTarget } from './plan.ts';
import { ringPlan } from './ring.ts';
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

/** A7.1 loop guard. */
export const maxHops = 5;

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
    // A7.3: judged at call start only, however long the caller took in the menu.
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
  // A7.1: in-app calling with nobody active takes the after-hours way.
  if (plan.groups.length === 0 && route.type === 'in-app-calling' && route.afterHours !== null) {
    afterHours(step, route, 'No one is active in the app.');
    return;
  }
  announceThenRing(step, plan);
}

function routeTitle(route: Route): string {
  return route.label === '' ? `extension ${route.extension}` : route.label;
}

/** Welcome and recording notice: heard first, once a call, and only when somebody will be rung. */
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

function afterHours(step: Step, route: Route, because: string): void {
  const { s } = step;
  const action = route.afterHours;
  explain(
    step,
    'hours',
    'after hours',
    true,
    `${because} ${action === null ? 'No after-hours action is set.' : `After hours: ${action.action}.`}`,
  );
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
    case 'forward': {
      const target = toTarget(route, toDestination(action.number), { flow: s.flow, from: s.from });
      const loop = target.key === s.flow.number.number || s.flow.loops.includes(target.key);
      if (loop)
        explain(
          step,
          'ring',
          'loop guard',
          false,
          `${target.label} leads back to this number and isn’t rung.`,
          target.key,
        );
      announceThenRing(step, {
        routeId: route.id,
        groups: loop ? [] : [{ targets: [target], startAfter: 0, confirm: null }],
        holdMusicId: route.holdMusicId,
        otherwise: noAnswerEnding(
          route,
          s.flow,
          'No one answered the call after hours.',
          loop ? 10 : 8,
        ),
      });
    }
  }
}

/** Nothing to follow: the number's voicemail, else the busy message. */
export function noRoute(step: Step, because: string): void {
  const { s } = step;
  explain(step, 'route', 'no route', false, because);
  if (s.flow.voicemail.enabled) sendToVoicemail(step, null, because);
  else playAndHangUp(step, [sayPrompt(s.flow.words.unavailable)], 10, because);
}
