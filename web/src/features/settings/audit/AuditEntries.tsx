import { Fragment } from 'react';
import { Button, Skeleton, Stack, UnstyledButton } from '@mantine/core';
import type { Answer } from '#contract';
import { audit, roleList } from '#contract';
import { calendarDay, ErrorState, formatPhoneNumber, formatRelativeDay, t, Time } from '#ui';
import { fieldName } from './changes.ts';
import css from './Audit.module.css';

type Entry = Answer<typeof audit.listAuditLog>['data'][number];

/** What was done, in the reader's language; an action of a newer version as the server words it. */
export const sentenceOf = ({ action, sentence }: Entry): string =>
  action in audit.auditActions ? t(audit.auditActions[action as audit.AuditAction].text) : sentence;
/** What it was done to; empty when it has no name, or is who did it. */
export const subjectOf = ({ subject_name: name, actor }: Entry): string => {
  if (!name || name === actor.name) return '';
  return /^\+\d{6,15}$/.test(name) ? formatPhoneNumber(name) : name;
};

/** The only field that was changed: `Role: User → Billing`; empty when there were several. */
const changeOf = ({ change }: Entry): string =>
  change
    ? t('{field}: {from} → {to}', {
        field: fieldName(change.field),
        from: valueName(change.field, change.from),
        to: valueName(change.field, change.to),
      })
    : '';
/** A stored value as people know it. */
function valueName(field: string, value: string): string {
  if (field === 'role') return t(roleList.find(({ id }) => id === value)?.label ?? value);
  if (field === 'status') return t(companyStatuses[value] ?? value);
  if (value === 'true' || value === 'false') return value === 'true' ? t('On') : t('Off');
  return value;
}
const companyStatuses: Readonly<Record<string, string>> = {
  0: 'Active',
  1: 'Parked',
  2: 'Deactivated',
};

interface List {
  rows: readonly Entry[];
  loading: boolean;
  error: React.ComponentProps<typeof ErrorState>['error'] | null;
  refetch: () => void;
  hasMore: boolean;
  more: () => void;
  loadingMore: boolean;
}

/** Entries by day, newest first. */
export function AuditEntries({
  list,
  open,
  empty,
}: {
  list: List;
  open: (id: number) => void;
  empty: React.ReactNode;
}) {
  if (list.error && !list.rows.length)
    return <ErrorState error={list.error} retry={list.refetch} />;
  if (list.loading)
    return (
      <Stack gap="xs" aria-busy>
        {[0, 1, 2, 3, 4, 5].map((i) => (
          <Skeleton key={i} height={28} />
        ))}
      </Stack>
    );
  if (!list.rows.length) return empty;
  return (
    <>
      {byDay(list.rows).map(({ day, rows }) => (
        <Fragment key={day}>
          <h2 className={css.day}>{formatRelativeDay(rows[0]?.at ?? day)}</h2>
          <ol className={css.list}>
            {rows.map((entry) => (
              <li key={entry.id}>
                <UnstyledButton className={css.entry} onClick={() => open(entry.id)}>
                  <Time at={entry.at} as="time" />
                  <span className={css.what}>
                    <b>{entry.actor.kind === 'system' ? t('System') : entry.actor.name}</b>{' '}
                    {sentenceOf(entry)}
                    {[subjectOf(entry), changeOf(entry)].filter(Boolean).map((more) => (
                      <span key={more} className={css.subject}>
                        {' · '}
                        {more}
                      </span>
                    ))}
                  </span>
                  <span className={css.from}>{entry.ip ?? ''}</span>
                </UnstyledButton>
              </li>
            ))}
          </ol>
        </Fragment>
      ))}
      {list.hasMore && (
        <Button variant="default" mt="md" loading={list.loadingMore} onClick={list.more}>
          {t('Show older')}
        </Button>
      )}
    </>
  );
}

function byDay(rows: readonly Entry[]): { day: string; rows: Entry[] }[] {
  const days: { day: string; rows: Entry[] }[] = [];
  for (const row of rows) {
    const day = calendarDay(row.at);
    const last = days.at(-1);
    if (last?.day === day) last.rows.push(row);
    else days.push({ day, rows: [row] });
  }
  return days;
}
