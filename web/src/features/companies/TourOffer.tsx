import { useState } from 'react';
import { Button } from '@mantine/core';
import { t, useUser } from '#ui';
import { startTour, isTourUnseen, markTourSeen } from '../../shared/tour.ts';
import css from './GettingStarted.module.css';

/** Offers the tour once, beside the page and never on top of it. */
export function TourOffer() {
  const user = useUser();
  const [open, setOpen] = useState(() => user !== null && isTourUnseen(user.id));
  if (!user || !open) return null;
  return (
    <section className={css.box} aria-labelledby="tour">
      <h2 id="tour" className={css.title}>
        {t('New here?')}
      </h2>
      <p className={css.progress}>{t('Take a tour. It’s less than a minute.')}</p>
      <Button
        size="xs"
        onClick={() => {
          setOpen(false);
          void startTour(user.id);
        }}
      >
        {t('Take the tour')}
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        onClick={() => {
          markTourSeen(user.id);
          setOpen(false);
        }}
      >
        {t('No, thanks')}
      </Button>
    </section>
  );
}
