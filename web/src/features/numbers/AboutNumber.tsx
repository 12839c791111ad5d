import { Button } from '@mantine/core';
import { numbers } from '#contract';
import { Facts, formatMoney, formatTime, go, PhoneNumber, Section, t, Time, useMay } from '#ui';
import type { NumberShown } from './number-form.ts';
import { useReleasing } from './use-releasing.ts';
import { verificationName } from './words.ts';

/** What the number is and costs, and the way to give it up. */
export function AboutNumber({ number: n }: { number: NumberShown }) {
  const mayRelease = useMay('numbers.buy');
  const { release, busy } = useReleasing();
  const place = [n.city, n.region].filter(Boolean).join(', ');
  return (
    <>
      <Section title={t('About this number')}>
        <Facts rows={[
          [t('Number'), <PhoneNumber key="n" value={n.number} copy />],
          n.vanity_text !== null && [t('Spelled'), n.vanity_text],
          [t('Type'), t(numbers.numberCategories[n.category])],
          place !== '' && [t('Place'), place],
          n.timezone !== null && [t('Time there'), `${formatTime(Date.now(), n.timezone)} (${n.timezone})`],
          [t('Carrier'), n.provider_ref?.startsWith('sb-') ? t('Sandbox, simulated on this machine') : t(numbers.numberProviders[n.provider_id])],
          [t('A month'), formatMoney(n.monthly_price_cents)],
          [t('Texting'), verificationName(n.sms_verification.status)],
          [t('Bought'), <Time key="b" at={n.purchased_at} as="date" />],
          n.next_renewal_at !== null && [t('Renews'), <Time key="r" at={n.next_renewal_at} as="date" />],
          [t('Last call'), n.last_call_at ? <Time key="c" at={n.last_call_at} as="ago" /> : t('Never')],
          [t('Last text'), n.last_message_at ? <Time key="m" at={n.last_message_at} as="ago" /> : t('Never')],
          [t('Id'), String(n.id)],
        ]} />
      </Section>
      {mayRelease && n.status !== 'releasing' && (
        <Section title={t('Release this number')} about={t('It stops at once, can be kept after all for 72 hours, and then goes back to the carrier.')}
          action={<Button color="red" variant="default" loading={busy} onClick={() => void release(n).then((done) => { if (done) go('/numbers'); })}>{t('Release number')}</Button>} />
      )}
    </>
  );
}
