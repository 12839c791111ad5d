/** Asks unknown callers to press 1 before anyone is rung (spam screening). */
import { playAndHangUp } from './finish.ts';
import { promptSeconds, sayPrompt } from './labels.ts';
import { playMenu } from './menu.ts';
import { noRoute, routeCall } from './route.ts';
import {
  addCommand,
  answerFirstLeg,
  enterPhase,
  explain,
  startGuardTimer,
  type Step,
} from './step-context.ts';

/** The menu, or the only route. */
export function enterNumber(step: Step): void {
  const { flow } = step.s;
  const [first, ...others] = flow.routes;
  if (first === undefined) noRoute(step, 'This number has no route.');
  else if (flow.menu !== null && others.length > 0) playMenu(step, flow.menu);
  else routeCall(step, first.id, 'This number has one route.');
}

/** Seconds that a screened caller has for the key, and how often they are asked. */
const screeningWaitSeconds = 6;
const screeningAttempts = 2;

/** Asks an unknown caller to press 1, which machines that dial at random don't. */
export function askForOne(step: Step, attempt = 1): void {
  const { s } = step;
  answerFirstLeg(step);
  explain(
    step,
    'screen',
    'press 1',
    true,
    attempt === 1
      ? 'The caller isn’t a contact, so they are asked to press 1.'
      : 'The caller is asked again.',
  );
  const prompts = [
    sayPrompt(`You have reached ${s.flow.company.name}. To connect your call, press 1.`),
  ];
  const commandId = addCommand(step, {
    do: 'gather',
    leg: s.firstLeg,
    prompts,
    maxDigits: 1,
    timeoutSeconds: screeningWaitSeconds,
  });
  enterPhase(step, { name: 'menu', commandId, attempt, screening: true });
  startGuardTimer(step, promptSeconds(prompts) * 2 + screeningWaitSeconds + 20);
}

/** A screened caller pressed a key; '' when none in time. */
export function handleScreeningKey(step: Step, attempt: number, pressed: string): void {
  if (pressed === '1') {
    explain(step, 'screen', 'press 1', true, 'The caller pressed 1.');
    enterNumber(step);
  } else if (attempt < screeningAttempts) askForOne(step, attempt + 1);
  else {
    explain(step, 'screen', 'press 1', false, 'The caller didn’t press 1.');
    playAndHangUp(step, [sayPrompt('Goodbye.')], 13, 'The caller didn’t press 1.');
  }
}
