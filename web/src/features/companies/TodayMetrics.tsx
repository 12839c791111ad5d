import { Skeleton } from '@mantine/core';
import { conversations } from '#contract';
import { calendarDay, formatTotal, t, useApiQuery, usePermission, useNow, userZone } from '#ui';
import { hasScreen } from '../index.ts';
import css from './TodayMetrics.module.css';

type Filter = { field: string; op: string; value: string | number };

/** Figures of today; each leads to its rows, and stands only where those may be seen. */
export function TodayMetrics({ zone }: { zone?: string | undefined }) {
  const day = calendarDay(useNow(60_000), userZone());
  const seesCalls = usePermission('calls.view'),
    seesTexts = usePermission('inbox.view');
  const inbound: Filter = { field: 'direction', op: 'eq', value: 'inbound' };
  return (
    <section aria-labelledby="today">
      <h2 id="today" className={css.title}>
        {t('Today')}{' '}
        <small>
          {t('since midnight, {zone}', { zone: (zone ?? userZone()).replace(/_/g, ' ') })}
        </small>
      </h2>
      <div className={css.figures}>
        {seesCalls && (
          <>
            <Metric
              label={t('Calls')}
              kind="call"
              where={[]}
              day={day}
              href={`/activity/calls?period=today`}
            />
            <Metric
              label={t('Missed calls')}
              kind="call"
              where={[inbound, { field: 'outcome', op: 'eq', value: 2 }]}
              day={day}
              href={`/activity/calls?period=today&direction=inbound&outcome=2`}
            />
          </>
        )}
        {seesTexts && (
          <Metric
            label={t('Messages')}
            kind="message"
            where={[]}
            day={day}
            href={`/activity/messages?period=today`}
          />
        )}
        {seesCalls && (
          <Metric
            label={t('Voicemails')}
            kind="voicemail"
            where={[]}
            day={day}
            href={`/activity/voicemails?period=today`}
          />
        )}
      </div>
    </section>
  );
}

function Metric({
  label,
  kind,
  where,
  day,
  href,
}: {
  label: string;
  kind: string;
  where: Filter[];
  day: string;
  href: string;
}) {
  const { response, error } = useApiQuery(
    conversations.listActivity,
    {
      body: {
        page: 1,
        perPage: 1,
        tz: userZone(),
        types: [kind],
        groups: [[{ field: 'at', op: 'gte', value: day }, ...where]],
      } as never,
    },
    { staleTime: 5000, silent: true },
  );
  const value = response ? (
    <strong>{formatTotal(response.meta)}</strong>
  ) : error ? (
    <strong aria-label={t('not available')}>–</strong>
  ) : (
    <Skeleton height={20} width={40} my={5} />
  );
  return hasScreen(href.split('?')[0]!) ? (
    <a className={css.figure} href={href}>
      <span>{label}</span>
      {value}
    </a>
  ) : (
    <div className={css.figure}>
      <span>{label}</span>
      {value}
    </div>
  );
}
