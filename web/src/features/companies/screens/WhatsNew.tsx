import { useEffect } from 'react';
import { companies, identity } from '#contract';
import { formatDate, Page, Section, StatusBadge, t, useApiMutation, useUser } from '#ui';
import { isUnreadNote, releaseNotes } from '../../../shared/release-notes.ts';
import css from './WhatsNew.module.css';

/** Release notes; opening them marks them as read. */
export default function WhatsNew() {
  const user = useUser();
  const { mutate } = useApiMutation(identity.whatsNewRead, {
    silent: true,
    background: true,
    invalidates: [companies.getUser],
  });
  const readAt = user?.read_whats_new_at ?? null;
  const unread = (day: string): boolean => isUnreadNote(day, readAt);
  const anyNew = releaseNotes.some((n) => unread(n.day));
  // Opening the page marks the notes as read; the badges stay until the user is loaded again.
  useEffect(() => {
    if (anyNew) void mutate({});
  }, [anyNew, mutate]);
  return (
    <Page title={t('What’s new')} layout="read">
      {releaseNotes.map((n) => (
        <Section
          key={n.title}
          title={t(n.title)}
          action={unread(n.day) ? <StatusBadge tone="accent">{t('New')}</StatusBadge> : undefined}
        >
          <p className={css.day}>{formatDate(`${n.day}T12:00:00Z`, 'UTC')}</p>
          <ul className={css.list}>
            {n.lines.map((line) => (
              <li key={line}>{t(line)}</li>
            ))}
          </ul>
        </Section>
      ))}
    </Page>
  );
}
