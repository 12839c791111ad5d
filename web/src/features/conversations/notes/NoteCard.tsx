import { IconNote } from '@tabler/icons-react';
import { formatTime, t } from '#ui';
import type { ItemOf } from '../cache-updates.ts';
import css from './NoteCard.module.css';

/** An internal note, visible to teammates only. */
export function NoteCard({ item }: { item: ItemOf<'note'> }) {
  return (
    <div className={css.note}>
      <p className={css.who}>
        <IconNote size={14} aria-hidden />
        {t('Note by {name}', { name: item.actor?.name ?? t('a former teammate') })}
        <time dateTime={item.createdAt}>{formatTime(item.createdAt)}</time>
        {item.details.edited && <span>{t('edited')}</span>}
      </p>
      <p className={css.body}>{item.details.body}</p>
    </div>
  );
}
