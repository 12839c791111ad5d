import { Alert, Button } from '@mantine/core';
import { IconCheck, IconPhone, IconPlus, IconSearch } from '@tabler/icons-react';
import type { numbers } from '#contract';
import {
  DataList,
  EmptyState,
  formatMoney,
  formatPhoneNumber,
  PhoneNumber,
  t,
  useNow,
  type Column,
  type ApiError,
} from '#ui';
import { addToCart, formatClock, removeFromCart, locationLabel, useCart } from './cart.ts';
import css from './SearchResults.module.css';

type FoundNumber = numbers.Located;
interface SearchResultsProps {
  /** Carriers whose results are missing, each with the reason as shown on screen. */
  away?: readonly { carrier: string; reason: string }[] | undefined;
  rows: readonly FoundNumber[] | undefined;
  loading: boolean;
  error: ApiError | null;
  refetch: () => void;
  more?: { load: () => void; loading: boolean } | undefined;
}

/**
 * Numbers found, each with its price and remaining reservation; a click adds it to the cart or
 * removes it.
 */
export function SearchResults({ away, rows, loading, error, refetch, more }: SearchResultsProps) {
  const now = useNow(1000);
  const chosen = new Set(useCart().map((item) => item.number));
  const toggle = (n: FoundNumber): void =>
    chosen.has(n.number) ? removeFromCart(n.number) : addToCart([n]);
  const columns = resultColumns({ now, isChosen: (n) => chosen.has(n.number), toggle });
  if (!rows && !loading && !error) {
    return (
      <EmptyState icon={<IconPhone size={28} stroke={1.5} />} title={t('Find a number')}>
        {t(
          'Choose a place, or digits or a word it should contain. Results are held for you for ten minutes.',
        )}
      </EmptyState>
    );
  }
  return (
    <>
      {away?.map((one) => (
        <Alert key={one.carrier} color="yellow" variant="light" mb="xs">
          {one.reason}
        </Alert>
      ))}
      {rows && rows.length > 0 && <ResultsBar rows={rows} more={more} />}
      <DataList
        label={t('Numbers found')}
        columns={columns}
        rows={rows}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(n) => n.number}
        rowLabel={(n) => formatPhoneNumber(n.number)}
        onOpen={toggle}
        empty={
          <EmptyState icon={<IconSearch size={28} stroke={1.5} />} title={t('No numbers found')}>
            {t(
              'No available numbers match there. Try “Contains”, a shorter word or another area code.',
            )}
          </EmptyState>
        }
      />
    </>
  );
}

function ResultsBar({
  rows,
  more,
}: {
  rows: readonly FoundNumber[];
  more: SearchResultsProps['more'];
}) {
  return (
    <div className={css.bar}>
      <span className={css.quiet} role="status">
        {rows.length === 1
          ? t('One number found, held for you')
          : t('{n} numbers found, held for you', { n: rows.length })}
      </span>
      <Button variant="default" size="compact-sm" onClick={() => addToCart(rows)}>
        {t('Select all {n}', { n: rows.length })}
      </Button>
      {more && (
        <Button variant="default" size="compact-sm" loading={more.loading} onClick={more.load}>
          {t('Show more')}
        </Button>
      )}
    </div>
  );
}

interface ResultActions {
  /** The current time (ms). */
  now: number;
  isChosen: (n: FoundNumber) => boolean;
  toggle: (n: FoundNumber) => void;
}

function resultColumns({ now, isChosen, toggle }: ResultActions): Column<FoundNumber>[] {
  const secondsLeft = (n: FoundNumber): number =>
    Math.floor((new Date(n.expires_at).getTime() - now) / 1000);
  return [
    {
      key: 'number',
      title: t('Number'),
      width: 'minmax(116px, 2fr)',
      cell: (n) => (
        <span className={css.number}>
          <PhoneNumber value={n.number} />
          {n.vanity_text && <strong className={css.word}>{n.vanity_text}</strong>}
        </span>
      ),
    },
    {
      key: 'place',
      title: t('Place'),
      width: 'minmax(110px, 1fr)',
      wideOnly: true,
      cell: (n) => locationLabel(n) || t('Toll-free'),
    },
    {
      key: 'carrier',
      title: t('Carrier'),
      width: '116px',
      wideOnly: true,
      cell: (n) => (n.carrier.simulated ? t('Simulated') : n.carrier.label),
    },
    {
      key: 'price',
      title: t('Per month'),
      width: '64px',
      align: 'end',
      cell: (n) => <span data-numeric>{formatMoney(n.monthly_cents)}</span>,
    },
    {
      key: 'held',
      title: t('Held for'),
      width: '84px',
      align: 'end',
      wideOnly: true,
      cell: (n) => (
        <span data-numeric className={css.quiet}>
          {secondsLeft(n) > 0 ? formatClock(secondsLeft(n)) : t('Ended')}
        </span>
      ),
    },
    {
      key: 'add',
      title: '',
      width: '108px',
      align: 'end',

      cell: (n) => <ChooseButton number={n} isChosen={isChosen(n)} onToggle={() => toggle(n)} />,
    },
  ];
}

function ChooseButton({
  number: n,
  isChosen,
  onToggle,
}: {
  number: FoundNumber;
  isChosen: boolean;
  onToggle: () => void;
}) {
  return (
    <Button
      size="compact-sm"
      variant={isChosen ? 'light' : 'default'}
      leftSection={
        isChosen ? <IconCheck size={14} aria-hidden /> : <IconPlus size={14} aria-hidden />
      }
      aria-pressed={isChosen}
      aria-label={
        isChosen
          ? t('Remove {number}', { number: formatPhoneNumber(n.number) })
          : t('Select {number}', { number: formatPhoneNumber(n.number) })
      }
      onClick={onToggle}
    >
      {isChosen ? t('Selected') : t('Choose')}
    </Button>
  );
}
