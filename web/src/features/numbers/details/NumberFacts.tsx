import { numbers } from '#contract';
import { Facts, formatMoney, formatTime, PhoneNumber, Section, t, Time, zoneName } from '#ui';
import { verificationName } from '../labels.ts';
import { months } from '../labels.ts';
import type { EditableNumber } from './number-form.ts';

/** What a number is and costs, where it came from, and when it was last used. */
export function NumberFacts({ number: n }: { number: EditableNumber }) {
  const place = [n.city, n.region].filter(Boolean).join(', ');
  const localTime = n.timezone && `${formatTime(Date.now(), n.timezone)} (${zoneName(n.timezone)})`;
  return (
    <Section title={t('About this number')}>
      <Facts
        rows={[
          [t('Number'), <PhoneNumber key="n" value={n.number} copy />],
          n.vanity_text !== null && [t('Spells'), n.vanity_text],
          [t('Type'), t(numbers.numberCategories[n.category])],
          place !== '' && [t('Place'), place],
          n.timezone !== null && [t('Local time'), localTime],
          [t('Carrier'), carrierName(n)],
          [t('Per month'), formatMoney(n.monthly_price_cents)],
          [t('Texting'), verificationName(n.sms_verification)],
          n.port !== null && [t('Ported in'), <PortedIn key="p" port={n.port} />],
          n.lease !== null && [t('Leased'), <Leased key="l" lease={n.lease} />],
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
  );
}

const carrierName = (n: EditableNumber): string =>
  /^s(b|andbox)-/.test(n.provider_ref ?? '')
    ? t('Sandbox, simulated on this machine')
    : t(numbers.numberProviders[n.provider_id]);

function PortedIn({ port }: { port: NonNullable<EditableNumber['port']> }) {
  return (
    <span>
      {port.losing_carrier
        ? t('from {carrier}', { carrier: port.losing_carrier })
        : t('from another carrier')}
      {port.completed_at && (
        <>
          , <Time at={port.completed_at} as="date" />
        </>
      )}
    </span>
  );
}

function Leased({ lease }: { lease: NonNullable<EditableNumber['lease']> }) {
  return (
    <span>
      {t('On the marketplace')}
      {lease.ends_at && (
        <>
          {' · '}
          {t('Ends')} <Time at={lease.ends_at} as="date" />
        </>
      )}
      {lease.notice_at && <> · {t('Notice given')}</>}
    </span>
  );
}
