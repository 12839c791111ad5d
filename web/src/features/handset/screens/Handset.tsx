import { useEffect, useState } from 'react';
import { Anchor, Button } from '@mantine/core';
import { IconFlask, IconPlus } from '@tabler/icons-react';
import { ErrorState, StatusBadge, t, useTitle } from '#ui';
import { Mark } from '../../../shared/AuthFrame.tsx';
import { HandsetCard } from '../HandsetCard.tsx';
import { addPhone, updatePhone, maxPhones, usePhones } from '../phones.ts';
import { fetchCompanyNumbers, type CompanyNumber } from '../sandbox.ts';
import { FaultSwitches } from '../FaultSwitches.tsx';
import css from './Handset.module.css';

/** The sandbox's outside phones. Public, and only available with the sandbox carrier. */
export default function Handset() {
  useTitle(t('Virtual handset'));
  const phones = usePhones();
  const [known, setKnown] = useState<CompanyNumber[] | null>(null);
  const [failed, setFailed] = useState(false);
  const load = (): void => {
    setFailed(false);
    void fetchCompanyNumbers().then(setKnown, () => setFailed(true));
  };
  useEffect(load, []);
  // A phone without a company number gets the first one, or the one in the URL (?with=+1…).
  useEffect(() => {
    const wanted = new URLSearchParams(window.location.search).get('with');
    const first = known?.find((k) => k.number === wanted) ?? known?.[0];
    if (first)
      for (const p of phones)
        if (!p.with || (wanted && p === phones[0])) updatePhone(p.number, { with: first.number });
  }, [known, phones.length]); // eslint-disable-line -- once the numbers are known, and for each new phone
  return (
    <main className={css.page}>
      <Header isFull={phones.length >= maxPhones} />
      {failed && <ErrorState title={t('The sandbox isn’t responding')} retry={load} />}
      {known && (
        <div className={css.phones}>
          {phones.map((p) => (
            <HandsetCard key={p.number} phone={p} known={known} removable={phones.length > 1} />
          ))}
        </div>
      )}
    </main>
  );
}

function Header({ isFull }: { isFull: boolean }) {
  return (
    <header className={css.head}>
      <a href="/" className={css.mark} aria-label={t('Trunkline')}>
        <Mark size={26} />
      </a>
      <div className={css.words}>
        <div className={css.titleLine}>
          <h1 className={css.title}>{t('Virtual handset')}</h1>
          <StatusBadge tone="info" icon={<IconFlask size={13} aria-hidden />}>
            {t('Simulated')}
          </StatusBadge>
        </div>
        <p className={css.about}>
          {t(
            'Phones outside your company, with fictional numbers. Calls carry real audio. Nothing leaves this machine.',
          )}{' '}
          <Anchor href="/what-is-simulated" inherit underline="always">
            {t('What is simulated')}
          </Anchor>
        </p>
      </div>
      <div className={css.acts}>
        <FaultSwitches />
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={isFull}
          onClick={addPhone}
        >
          {t('Add handset')}
        </Button>
      </div>
    </header>
  );
}
