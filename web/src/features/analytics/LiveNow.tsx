import { Skeleton } from '@mantine/core';
import { live } from '#contract';
import type { LiveCall } from '#contract/calls/live/schemas';
import { ErrorState, formatDuration, Section, StatusBadge, t, useApiQuery, useNow } from '#ui';
import { livePartyName, liveStates } from '../calls/index.ts';
import css from './LiveNow.module.css';

/** As many as fit without pushing the rest of the page down; the live board shows all. */
const shown = 5;

/** Calls in progress, longest in their state first. For users who may see live calls. */
export function LiveNow() {
  const { response, error, refetch } = useApiQuery(live.listLiveCalls, {}, { silent: true });
  const calls = response?.data;
  return (
    <Section
      title={t('Live now')}
      action={
        <a className={css.all} href="/calls/live">
          {calls && calls.length > shown
            ? t('All {n} live calls', { n: calls.length })
            : t('Live calls')}
        </a>
      }
    >
      {error && !response ? (
        <ErrorState error={error} retry={refetch} />
      ) : !calls ? (
        <Skeleton height={14} my={9} width="40%" />
      ) : calls.length === 0 ? (
        <p className={css.none}>{t('No calls right now.')}</p>
      ) : (
        <Calls calls={calls.toSorted((a, b) => a.since.localeCompare(b.since)).slice(0, shown)} />
      )}
    </Section>
  );
}

function Calls({ calls }: { calls: readonly LiveCall[] }) {
  const now = Number(useNow(1000));
  return (
    <ul className={css.list}>
      {calls.map((call) => (
        <li key={call.id}>
          <a className={css.call} href={`/calls/${call.id}`}>
            <StatusBadge tone={liveStates[call.state].tone}>
              {t(liveStates[call.state].label)}
            </StatusBadge>
            <span className={css.who}>{livePartyName(call)}</span>
            <span className={css.with}>
              {call.people
                .filter(({ role }) => role === 'company')
                .map(({ label }) => label)
                .join(', ') || call.number.label}
            </span>
            <span className={css.time}>
              {formatDuration(Math.max(0, (now - Date.parse(call.since)) / 1000))}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
