import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconDownload, IconEye, IconRefresh } from '@tabler/icons-react';
import { conversations, fax } from '#contract';
import { formatTime, lazyComponent, StatusBadge, t, usePermission, useApiMutation } from '#ui';
import type { ItemOf } from '../cache-updates.ts';
import { KindIcon } from '../KindIcon.tsx';
import { faxStateLabel, pageCountLabel } from './labels.ts';
import card from '../thread/EventCard.module.css';
import css from './FaxCard.module.css';

const FaxViewer = lazyComponent(async () => (await import('./FaxViewer.tsx')).FaxViewer);

/**
 * A fax in the thread: first page, state and actions. `again` runs when the file's URL has expired.
 */
export function FaxCard({ item, again: refetch }: { item: ItemOf<'fax'>; again: () => void }) {
  const { details } = item;
  const [open, setOpen] = useState(false);
  return (
    <div className={`${card.card ?? ''} ${css.card ?? ''}`}>
      <FaxSummary item={item} />
      {details.errorText && (
        <p className={css.trouble} role="note">
          {details.errorText}
        </p>
      )}
      {details.preview && (
        <button
          type="button"
          className={css.preview}
          aria-label={t('View fax pages')}
          onClick={() => setOpen(true)}
        >
          <img src={details.preview} alt="" loading="lazy" onError={refetch} />
        </button>
      )}
      <FaxActions item={item} onView={() => setOpen(true)} />
      {open && <FaxViewer faxId={details.faxId} onClose={() => setOpen(false)} />}
    </div>
  );
}

function FaxSummary({ item }: { item: ItemOf<'fax'> }) {
  const { details, isInbound } = item;
  const { word, tone } = faxStateLabel(details.state);
  const facts = [
    formatTime(item.createdAt),
    details.pages > 0 && pageCountLabel(details.pages),
    !isInbound && details.name,
  ];
  return (
    <div className={card.head}>
      <span className={card.disc} data-tone={details.state === 'failed' ? 'bad' : 'quiet'}>
        <KindIcon kind="fax" isInbound={isInbound} outcome={undefined} size={16} />
      </span>
      <span className={card.words}>
        <span className={card.title}>{isInbound ? t('Fax received') : t('Fax')}</span>
        <span className={card.facts}>{facts.filter(Boolean).join(' · ')}</span>
      </span>
      {(!isInbound || details.state !== 'received') && (
        <span className={css.state}>
          <StatusBadge tone={tone}>{word}</StatusBadge>
        </span>
      )}
    </div>
  );
}

function FaxActions({ item, onView }: { item: ItemOf<'fax'>; onView: () => void }) {
  const { details } = item;
  const maySend = usePermission('inbox.send');
  const { mutate: retry, isPending } = useApiMutation(fax.retryFax, {
    invalidates: [conversations.listConversationItems],
  });
  const canRetry = details.state === 'failed' && !item.isInbound && maySend;
  return (
    <div className={css.acts}>
      {details.preview && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconEye size={15} aria-hidden />}
          onClick={onView}
        >
          {t('View')}
        </Button>
      )}
      {details.url && (
        <Button
          size="compact-sm"
          variant="default"
          component="a"
          href={`${details.url}&download=1`}
          leftSection={<IconDownload size={15} aria-hidden />}
        >
          {t('PDF')}
        </Button>
      )}
      {details.url && canRetry && (
        <Button
          size="compact-sm"
          variant="default"
          loading={isPending}
          leftSection={<IconRefresh size={15} aria-hidden />}
          onClick={() => void retry({ params: { id: details.faxId } })}
        >
          {t('Send again')}
        </Button>
      )}
    </div>
  );
}
