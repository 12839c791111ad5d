import { Button } from '@mantine/core';
import { navigate, Section, t, usePermission } from '#ui';
import { useReleaseNumber } from '../use-release-number.ts';
import { useRotateNumber } from '../use-rotate-number.ts';
import { LeaseSection } from './LeaseSection.tsx';
import { NumberFacts } from './NumberFacts.tsx';
import type { EditableNumber } from './number-form.ts';
import { SpamSection } from './SpamSection.tsx';

/** Facts and price of a number, its lease, and the actions that replace or release it. */
export function NumberSummary({ number: n }: { number: EditableNumber }) {
  const mayRelease = usePermission('numbers.buy');
  return (
    <>
      <NumberFacts number={n} />
      {n.category !== 3 && <SpamSection number={n} />}
      {n.lease !== null && <LeaseSection number={n} lease={n.lease} mayBuy={mayRelease} />}
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
        <>
          <ReplaceSection number={n} />
          <ReleaseSection number={n} />
        </>
      )}
    </>
  );
}

function ReplaceSection({ number: n }: { number: EditableNumber }) {
  const { rotate, rotating } = useRotateNumber();
  return (
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
  );
}

function ReleaseSection({ number: n }: { number: EditableNumber }) {
  const { release, busy } = useReleaseNumber();
  return (
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
  );
}
