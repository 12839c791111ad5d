import { routing, type flows } from '#contract';
import { t } from '#ui';
import type { DraftForward, DraftRoute } from '../draft.ts';

/** What steps of a call flow are called, and when a route has which of them. */

/** What the draft alone does not know. */
export interface GraphContext {
  number: string;
  people: Readonly<Record<string, string>>;
  teams: flows.NumberFlow['teams'];
}

/** What makes a destination the same as another: its user, its team, or its number (E.164). */
export const keyOfForward = (forward: DraftForward): string =>
  forward.user_id === null
    ? forward.team_id === null
      ? (routing.destinationNumber(forward.number) ?? forward.number)
      : `team:${forward.team_id}`
    : `user:${forward.user_id}`;
/** The name of a destination as a step shows it. */
export const nameOfForward = (forward: DraftForward, context: GraphContext): string =>
  forward.user_id === null
    ? forward.label || forward.number || t('New phone')
    : (context.people[forward.user_id] ?? t('Someone'));

/** Whether the hours of a route send every call to voicemail. */
export const isVoicemailOnly = ({ business_hours: hours }: DraftRoute): boolean =>
  hours !== null && (hours.voicemail || hours.preset === 5);
/** Whether a route rings nobody, by its type or its hours. */
export const goesStraightToVoicemail = (route: DraftRoute): boolean =>
  route.type === 'voicemail' || isVoicemailOnly(route);
/** Whether a route has hours that make a difference to callers. */
export const hasHours = ({ business_hours: hours }: DraftRoute): boolean =>
  hours !== null && (hours.preset !== 1 || hours.exceptions.length > 0 || hours.voicemail);

/** The hours of a route as the title of their step. */
export function hoursTitle({ business_hours: hours }: DraftRoute): string {
  if (hours === null) return t('Always open');
  return t(routing.scheduleLabel(hours.preset, hours.voicemail) || 'Hours');
}

/** What distinguishes a destination in its route: areas, seconds or weight. Empty: nothing. */
export function rowDetail(route: DraftRoute, forward: DraftForward): string {
  if (route.type === 'geo')
    return [...forward.area_codes, ...forward.states].join(', ') || t('All other areas');
  if (route.type === 'sequential') return `${forward.timeout ?? route.timeout} s`;
  if (route.type === 'standard' && route.forwards.length > 1)
    return t('Weight {n}', { n: forward.weight ?? 1 });
  return '';
}

export const ringTitles: Partial<Record<DraftRoute['type'], string>> = {
  standard: 'Rings one of them',
  simultaneous: 'Rings all at once',
  sequential: 'Rings in turn',
  geo: 'By the caller’s area',
  'in-app-calling': 'Rings people in the app',
};
export const typeLabels: Record<DraftRoute['type'], string> = {
  standard: 'Standard',
  simultaneous: 'Simultaneous',
  sequential: 'Sequential',
  geo: 'Geo',
  voicemail: 'Voicemail',
  'in-app-calling': 'In-app calling',
};

/** What callers get when a route is closed, as title and text of its step. */
export function afterHoursText(route: DraftRoute): { title: string; about: string } {
  const { action, target, greeting_id: greetingId } = route.after_hours;
  if (action === 'forward') return { title: t('Forward'), about: target || t('Phone not set') };
  if (action === 'greeting')
    return {
      title: t('Message'),
      about: greetingId ? t('A saved greeting') : target || t('Text not set'),
    };
  if (action === 'voicemail' || (action === '' && route.voicemail_enabled))
    return { title: t('Voicemail'), about: t('When closed') };
  return { title: t('Message'), about: t('Plays a closed message') };
}
