import type { calls } from '#contract';
import { formatPhoneNumber, t } from '#ui';

type Call = Pick<calls.Call, 'path' | 'outbound' | 'to' | 'answered_by'>;
type PathStep = calls.Call['path'][number];

/**
 * A step's target as people read it: an E.164 number in national format, other text as it is. Null without a target and
 * for a user key (`user:7`), which only the reason beside it names.
 */
export function pathTargetText(target: string | null): string | null {
  if (!target || /^user:\d+$/.test(target)) return null;
  return /^\+\d{7,}$/.test(target) ? formatPhoneNumber(target) : target;
}

/** The few words a step adds to the summary; null for steps that only lead to the next one. */
function stepText(step: PathStep, answeredBy: string | null): string | null {
  switch (step.node) {
    case 'screen':
      return step.matched ? null : t('Blocked');
    case 'menu':
      return t('Menu');
    case 'route':
      return pathTargetText(step.target);
    case 'hours':
      return step.matched && step.rule !== 'after hours' ? null : t('After hours');
    case 'connect':
      return answeredBy ?? pathTargetText(step.target);
    case 'voicemail':
      return t('Voicemail');
    case 'message':
      return t('Message');
    default:
      return null;
  }
}

/** The call path in a line: the menu, the route that was chosen, and who answered or where it ended. Never empty. */
export function summarizePath(call: Call): string[] {
  const answeredBy = call.answered_by?.label ?? null;
  const words = call.path.flatMap((step) => stepText(step, answeredBy) ?? []);
  const start = call.outbound === 1 ? [t('Call placed')] : [];
  const summary = [...start, ...words].filter((text, i, all) => text !== all[i - 1]);
  if (words.length > 0) return summary;
  return call.outbound === 1 ? [...start, formatPhoneNumber(call.to)] : [t('Incoming call')];
}
