import { Stack, Text } from '@mantine/core';
import type { tracking } from '#contract';
import { formatNumber, Section, t } from '#ui';
import { dropReason, hitsText } from './labels.ts';
import css from './pools.module.css';

/** What pages sent in the last 24 hours; what wasn’t counted, and why. */
export function PoolHits({ hits }: { hits: tracking.Pool['hits24h'] }) {
  const byReason = new Map<tracking.DropReason, number>();
  for (const { reason, count } of hits.dropped)
    byReason.set(reason, (byReason.get(reason) ?? 0) + count);
  return (
    <Section title={t('Page views in the last 24 hours')}>
      <Stack gap="xs">
        {hits.pageViews + hits.events > 0 ? (
          <Text>{hitsText(hits)}</Text>
        ) : (
          <Text c="dimmed">{t('None yet. They come from the script on your website.')}</Text>
        )}
        {byReason.size > 0 && (
          <div>
            <Text size="sm" c="dimmed">
              {t('Not counted')}
            </Text>
            <ul className={css.reasons}>
              {[...byReason].map(([reason, count]) => (
                <li key={reason}>
                  <span>{dropReason(reason)}</span>
                  <span className={css.count}>{formatNumber(count)}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Stack>
    </Section>
  );
}
