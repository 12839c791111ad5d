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
} from '#ui';
import { months } from '../marketplace/labels.ts';
import type { EditableNumber } from './number-form.ts';
import { useReleaseNumber } from '../use-release-number.ts';
import { useRotateNumber } from '../use-rotate-number.ts';
import { verificationName } from '../labels.ts';

/** What the number is and costs, and the way to give it up. */
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
            n.vanity_text !== null && [t('Spelled'), n.vanity_text],
            [t('Type'), t(numbers.numberCategories[n.category])],
            place !== '' && [t('Place'), place],
            n.timezone !== null && [
              t('Time there'),
              `${formatTime(Date.now(), n.timezone)} (${n.timezone})`,
            ],
            [
              t('Carrier'),
              /^s(b|andbox)-/.test(n.provider_ref ?? '')
                ? t('Sandbox, simulated on this machine')
                : t(numbers.numberProviders[n.provider_id]),
            ],
            [t('A month'), formatMoney(n.monthly_price_cents)],
            [t('Texting'), verificationName(n.sms_verification)],
            n.port !== null && [
              t('Moved here'),
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
                {t('on the marketplace; it goes back')}
                {n.lease.ends_at && (
                  <>
                    {' '}
                    <Time at={n.lease.ends_at} as="date" />
                  </>
                )}
                {n.lease.notice_at && <>; {t('its owner has given notice')}</>}
              </span>,
            ],
            n.lease?.monthly_cents != null && [
              t('Lease'),
              t('{price} a month for {months}', {
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
            [t('Id'), String(n.id)],
          ]}
        />
      </Section>
      {n.lease !== null && <Lease number={n} lease={n.lease} mayBuy={mayRelease} />}
      <Section
        title={t('What happened')}
        about={t('Changes, calls and texts of this number, as they were written down.')}
        action={
          <Button component="a" href={`/numbers/${n.id}/timeline`} variant="default">
            {t('Show the timeline')}
          </Button>
        }
      />
      {mayRelease && n.status !== 'releasing' && (
        <Section
          title={t('Exchange this number')}
          about={t(
            'Another number like it is bought and gets its settings, tags, people and routes. Callers of this one reach the new for 30 days; then it goes back to the carrier.',
          )}
          action={
            <Button variant="default" loading={rotating} onClick={() => void rotate(n)}>
              {t('Exchange')}
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
                  'It stops at once, can be kept after all for 72 hours, and then goes back to whom it is leased from.',
                )
              : t(
                  'It stops at once, can be kept after all for 72 hours, and then goes back to the carrier.',
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

/** The lessee's side of a marketplace lease: what was agreed, and the renewal once its time has come. */
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
    success: t('The lease was renewed'),
  });
  const renew = async (): Promise<void> => {
    const body = t('{price} a month for another {months}, from {date}.', {
      price: formatMoney(lease.monthly_cents ?? 0),
      months: months(lease.term_months ?? 0),
      date: lease.ends_at ? formatDate(lease.ends_at) : '',
    });
    if (await confirm({ title: t('Renew the lease?'), body, confirmLabel: t('Renew') }))
      await mutate({ params: { id: lease.listing_id }, body: {} });
  };
  return (
    <Section
      title={t('Lease')}
      about={t(marketplace.termsOf('lease'))}
      action={
        mayBuy &&
        lease.renewable &&
        number.status !== 'releasing' && (
          <Button variant="default" loading={isPending} onClick={() => void renew()}>
            {t('Renew the lease')}
          </Button>
        )
      }
    />
  );
}
