import { useEffect } from 'react';
import { companies, identity } from '#contract';
import { formatDate, Page, Section, StatusBadge, t, useTell, useUser } from '#ui';
import { news } from '../features/companies/news.ts';
import css from './WhatsNew.module.css';

export default function WhatsNew() {
  const user = useUser();
  const { tell } = useTell(identity.whatsNewRead, { quiet: true, touches: [companies.getUser] });
  const readAt = user?.read_whats_new_at ?? null;
  const unread = (day: string): boolean => readAt === null || `${day} 23:59:59` > readAt;
  const anyNew = news.some((n) => unread(n.day));
  // Seen is read; the marks stay until the page is left, because the person comes back with the next answer.
  useEffect(() => {
    if (anyNew) void tell({});
  }, [anyNew, tell]);
  return (
    <Page title={t('What’s new')} layout="read">
      {news.map((n) => (
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
