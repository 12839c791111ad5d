import { Title } from '@mantine/core';
import { t, useTitle } from '#ui';
import { Mark } from './Mark.tsx';
import css from './Front.module.css';

/** The frame of the pages before sign-in: one column. */
export function Front({
  title,
  about,
  children,
  below,
}: {
  title: string;
  about?: React.ReactNode;
  children: React.ReactNode;
  below?: React.ReactNode;
}) {
  useTitle(title);
  return (
    <main className={css.frame}>
      <div className={css.column}>
        <a href="/caddy/" className={css.mark} aria-label={t('Caddy home')}>
          <Mark size={36} />
          <span aria-hidden>Caddy</span>
        </a>
        <Title order={1}>{title}</Title>
        {about && <p className={css.about}>{about}</p>}
        <div className={css.content}>{children}</div>
        {below && <div className={css.below}>{below}</div>}
      </div>
    </main>
  );
}
