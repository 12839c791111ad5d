import { Button } from '@mantine/core';
import { marketplace, numbers, routing } from '#contract';
import {
  confirm,
  Facts,
  formatDate,
  formatMoney,
  formatTime,
  navigate,
  PhoneNumber,
  Section,
  t,
  Time,
  usePermission,
  useApiMutation,
  zoneName,
} from '#ui';
import { months } from '../marketplace/labels.ts';
import type { EditableNumber } from './number-form.ts';
import { useReleaseNumber } from '../use-release-number.ts';
import { useRotateNumber } from '../use-rotate-number.ts';
import { verificationName } from '../labels.ts';

/** Facts and price of a number, its lease, and the actions that replace or release it. */
export function NumberSummary({ number: n }: { number: EditableNumber }) {
  const mayRelease = usePermission('numbers.buy');
  const { release, busy } = useReleaseNumber();
  const { rotate, rotating } = useRotateNumber();
  const place = [n.city, n.region].filter(Boolean).join(', ');
  return (
    <>
      <Section title={t('About this number')}>
        <Facts
          rows={[
            [t('Number'), <PhoneNumber key="n" value={n.number} copy />],
            n.vanity_text !== null && [t('Spells'), n.vanity_text],
            [t('Type'), t(numbers.numberCategories[n.category])],
            place !== '' && [t('Place'), place],
            n.timezone !== null && [
              t('Local time'),
              `${formatTime(Date.now(), n.timezone)} (${zoneName(n.timezone)})`,
            ],
            [
              t('Carrier'),
              /^s(b|andbox)-/.test(n.provider_ref ?? '')
                ? t('Sandbox, simulated on this machine')
                : t(numbers.numberProviders[n.provider_id]),
            ],
            [t('Per month'), formatMoney(n.monthly_price_cents)],
            [t('Texting'), verificationName(n.sms_verification)],
            n.port !== null && [
              t('Ported in'),
              <span key="p">
                {n.port.losing_carrier
                  ? t('from {carrier}', { carrier: n.port.losing_carrier })
                  : t('from another carrier')}
                {n.port.completed_at && (
                  <>
                    , <Time at={n.port.completed_at} as="date" />
                  </>
                )}
              </span>,
            ],
            n.lease !== null && [
              t('Leased'),
              <span key="l">
                {t('On the marketplace')}
                {n.lease.ends_at && (
                  <>
                    {' · '}
                    {t('Ends')} <Time at={n.lease.ends_at} as="date" />
                  </>
                )}
                {n.lease.notice_at && <> · {t('Notice given')}</>}
              </span>,
            ],
            n.lease?.monthly_cents != null && [
              t('Lease'),
              t('{price} per month for {months}', {
                price: formatMoney(n.lease.monthly_cents),
                months: months(n.lease.term_months ?? 0),
              }),
            ],
            [t('Bought'), <Time key="b" at={n.purchased_at} as="date" />],
            n.next_renewal_at !== null && [
              t('Renews'),
              <Time key="r" at={n.next_renewal_at} as="date" />,
            ],
            [
              t('Last call'),
              n.last_call_at ? <Time key="c" at={n.last_call_at} as="ago" /> : t('Never'),
            ],
            [
              t('Last text'),
              n.last_message_at ? <Time key="m" at={n.last_message_at} as="ago" /> : t('Never'),
            ],
            [t('ID'), String(n.id)],
          ]}
        />
      </Section>
      {n.lease !== null && <Lease number={n} lease={n.lease} mayBuy={mayRelease} />}
      <Section
        title={t('Timeline')}
        about={t('Changes, calls and texts on this number.')}
        action={
          <Button component="a" href={`/numbers/${n.id}/timeline`} variant="default">
            {t('Show timeline')}
          </Button>
        }
      />
      {mayRelease && n.status !== 'releasing' && (
        <Section
          title={t('Replace this number')}
          about={t(
            'Buys a similar number and copies its settings, tags, people and routes. Callers of this one reach the new one for 30 days. Then it goes back to the carrier.',
          )}
          action={
            <Button variant="default" loading={rotating} onClick={() => void rotate(n)}>
              {t('Replace')}
            </Button>
          }
        />
      )}
      {mayRelease && n.status !== 'releasing' && (
        <Section
          title={t('Release this number')}
          about={
            n.lease
              ? t(
                  'It stops working right away. You can keep it for 72 hours. Then it goes back to its owner.',
                )
              : t(
                  'It stops working right away. You can keep it for 72 hours. Then it goes back to the carrier.',
                )
          }
          action={
            <Button
              color="red"
              variant="default"
              loading={busy}
              onClick={() =>
                void release(n).then((done) => {
                  if (done) navigate('/numbers');
                })
              }
            >
              {t('Release number')}
            </Button>
          }
        />
      )}
    </>
  );
}

/**
 * The lessee's side of a marketplace lease: its terms, and the renewal button once it is renewable.
 */
function Lease({
  number,
  lease,
  mayBuy,
}: {
  number: EditableNumber;
  lease: NonNullable<EditableNumber['lease']>;
  mayBuy: boolean;
}) {
  const { mutate, isPending } = useApiMutation(marketplace.renewLease, {
    invalidates: [routing.getNumber, numbers.listNumbersDatatable],
    success: t('Lease renewed'),
  });
  const renew = async (): Promise<void> => {
    const body = t('{price} per month for another {months}, from {date}.', {
      price: formatMoney(lease.monthly_cents ?? 0),
      months: months(lease.term_months ?? 0),
      date: lease.ends_at ? formatDate(lease.ends_at) : '',
    });
    if (await confirm({ title: t('Renew lease?'), body, confirmLabel: t('Renew') }))
      await mutate({ params: { id: lease.listing_id }, body: {} });
  };
  return (
    <Section
      title={t('Lease')}
      about={marketplace.termsOf('lease')}
      action={
        mayBuy &&
        lease.renewable &&
        number.status !== 'releasing' && (
          <Button variant="default" loading={isPending} onClick={() => void renew()}>
            {t('Renew lease')}
          </Button>
        )
      }
    />
  );
}
