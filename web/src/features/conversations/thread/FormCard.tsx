import { IconForms } from '@tabler/icons-react';
import { Facts, formatTime, t } from '#ui';
import type { ItemOf } from '../cache-updates.ts';
import { matchedTexts } from '#ui/messaging/labels.ts';
import css from './FormCard.module.css';

/** A form of the website: what was written in it, and where its sender came from. */
export function FormCard({ item: { details, createdAt } }: { item: ItemOf<'form'> }) {
  const from = matchedTexts(details);
  return (
    <div className={css.card}>
      <div className={css.head}>
        <IconForms size={16} stroke={1.75} aria-hidden />
        <strong>{details.form || t('Website form')}</strong>
        <time dateTime={createdAt}>{formatTime(createdAt)}</time>
      </div>
      {details.fields.length > 0 && (
        <Facts rows={details.fields.map(({ name, value }) => [name, value])} />
      )}
      {from.length > 0 && (
        <p className={css.from}>{t('Source: {source}', { source: from.join(' · ') })}</p>
      )}
    </div>
  );
}
