import { IconChevronRight } from '@tabler/icons-react';
import { formatSpan, formatTime, t } from '#ui';
import { AudioClip } from './AudioClip.tsx';
import type { Item, ItemOf } from '../cache-updates.ts';
import { KindIcon } from '../KindIcon.tsx';
import { callLabel, matchedTexts } from '#ui/messaging/labels.ts';
import css from './EventCard.module.css';

/** A call, voicemail or fax as a card with an icon. */
function Card({
  item,
  tone,
  title,
  facts,
  children,
  href,
}: {
  item: Item;
  tone: 'quiet' | 'good' | 'bad' | 'voice';
  title: string;
  facts: (string | null | undefined | false)[];
  children?: React.ReactNode;
  href?: string;
}) {
  return (
    <div className={css.card}>
      <div className={css.head}>
        <span className={css.disc} data-tone={tone}>
          <KindIcon
            kind={item.kind}
            isInbound={item.isInbound}
            outcome={item.kind === 'call' ? item.details.outcome : undefined}
            size={16}
          />
        </span>
        <span className={css.words}>
          {href ? (
            <a className={css.title} href={href}>
              {title}
              <IconChevronRight size={14} aria-hidden />
            </a>
          ) : (
            <span className={css.title}>{title}</span>
          )}
          <span className={css.facts}>
            {[formatTime(item.createdAt), ...facts].filter(Boolean).join(' · ')}
          </span>
        </span>
      </div>
      {children}
    </div>
  );
}

/** A call in the thread. `again` refetches when the recording's URL has expired. */
export function CallCard({ item, again: refetch }: { item: ItemOf<'call'>; again: () => void }) {
  const { details } = item;
  const running = details.outcome === 0;
  const bad = details.outcome === 4 || (details.outcome === 2 && item.isInbound);
  return (
    <Card
      item={item}
      tone={bad ? 'bad' : details.outcome === 1 ? 'good' : 'quiet'}
      title={callLabel(item.isInbound, details)}
      href={`/calls/${details.callId}`}
      facts={[
        running ? t('in progress') : details.outcome === 1 && formatSpan(details.duration),
        details.answeredBy &&
          details.outcome === 1 &&
          (item.isInbound
            ? t('answered by {name}', { name: details.answeredBy })
            : t('by {name}', { name: details.answeredBy })),
        details.extensionLabel,
        ...matchedTexts(details),
      ]}
    >
      {details.recordingUrl && (
        <AudioClip
          url={details.recordingUrl}
          seconds={details.recordingSeconds ?? details.duration}
          label={t('Recording')}
          onBroken={refetch}
        />
      )}
    </Card>
  );
}

/** A voicemail in the thread. `again` refetches when its URL has expired. */
export function VoicemailCard({
  item,
  again: refetch,
}: {
  item: ItemOf<'voicemail'>;
  again: () => void;
}) {
  const { details } = item;
  const words =
    details.transcription ??
    (details.transcriptionState === 'failed' ? t('The audio couldn’t be transcribed.') : null);
  return (
    <Card
      item={item}
      tone="voice"
      title={t('Voicemail')}
      href={`/calls/${details.callId}`}
      facts={[formatSpan(details.duration)]}
    >
      {details.url && (
        <AudioClip
          url={details.url}
          seconds={details.duration}
          label={t('Voicemail')}
          onBroken={refetch}
        />
      )}
      {words && (
        <p className={css.transcript} data-plain={details.transcription === null || undefined}>
          {words}
        </p>
      )}
    </Card>
  );
}
