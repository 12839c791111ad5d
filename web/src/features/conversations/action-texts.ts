import { confirm, t } from '#ui';
import type { Conversation } from './cache-updates.ts';
import { formatWhen } from './scheduling/schedule-times.ts';
import type { Teammate } from './team/use-teammates.ts';
import { conversationName } from '#ui/messaging/labels.ts';

/** The toast after archiving or restoring `count` conversations. */
export function archiveText(act: 'archive' | 'restore', count: number): string {
  if (act === 'archive')
    return count === 1
      ? t('Conversation archived')
      : t('{n, plural, one {# conversation archived} other {# conversations archived}}', {
          n: count,
        });
  return count === 1
    ? t('Conversation moved to inbox')
    : t('{n, plural, one {# conversation moved to inbox} other {# conversations moved to inbox}}', {
        n: count,
      });
}

/** Whose a conversation is: "Una User", "Front desk", or "Una User (Front desk)". Empty: no one's. */
export const assignedName = ({ assignee, team }: Pick<Conversation, 'assignee' | 'team'>): string =>
  assignee && team ? `${assignee.name} (${team.name})` : (assignee?.name ?? team?.name ?? '');

/** The toast after assigning `count` conversations; `person` null: unassigned. */
export function assignText(person: Teammate | null, count: number): string {
  if (person)
    return count === 1
      ? t('Assigned to {who}', { who: person.name })
      : t('{n, plural, one {# conversation} other {# conversations}} assigned to {who}', {
          n: count,
          who: person.name,
        });
  return count === 1
    ? t('Conversation unassigned')
    : t('{n, plural, one {# conversation unassigned} other {# conversations unassigned}}', {
        n: count,
      });
}

/** The toast after snoozing `count` conversations. */
export const snoozeText = (until: Date, count: number): string =>
  count === 1
    ? t('Snoozed until {when}', { when: formatWhen(until) })
    : t('{n, plural, one {# conversation} other {# conversations}} snoozed until {when}', {
        n: count,
        when: formatWhen(until),
      });

/** Asks before conversations are deleted. False keeps them. */
export function confirmDelete(list: readonly Conversation[]): Promise<boolean> {
  const [one] = list;
  const title =
    list.length === 1 && one
      ? t('Delete the conversation with {name}?', { name: conversationName(one) })
      : t('{n, plural, one {Delete # conversation?} other {Delete # conversations?}}', {
          n: list.length,
        });
  return confirm({
    title,
    body: t(
      'Everything in it is deleted for everyone in the company. Call records stay. This can’t be undone.',
    ),
    confirmLabel: t('Delete'),
    danger: true,
  });
}
