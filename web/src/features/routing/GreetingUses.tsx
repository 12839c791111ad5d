import { Skeleton } from '@mantine/core';
import { greetings } from '#contract';
import { Modal, t, useApiQuery } from '#ui';
import css from './Greetings.module.css';

/** The screen where a place that uses a greeting is edited. */
function placeUrl(place: { number_id: number; kind: string; as: string }): string {
  const number = `/numbers/${place.number_id}`;
  if (place.as === 'voicemail') return `${number}?tab=voicemail`;
  return place.kind === 'number' ? `${number}?tab=settings` : number;
}

/** Where a greeting is used. */
export function GreetingUses({
  greeting,
  close,
}: {
  greeting: greetings.Greeting;
  close: () => void;
}) {
  const { response } = useApiQuery(greetings.getGreeting, {
    params: { id: greeting.id },
  });
  const places = response?.data.used_by;
  return (
    <Modal
      opened
      onClose={close}
      title={t('Where “{name}” is used', { name: greeting.name })}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {!places && <Skeleton height={60} />}
      {places?.length === 0 && (
        <p className={css.quiet}>
          {greeting.is_default
            ? t('Nothing uses it directly. As the default, it plays wherever none is chosen.')
            : t('Nothing uses it.')}
        </p>
      )}
      {places && places.length > 0 && (
        <>
          <ul className={css.uses}>
            {places.map((one) => (
              <li key={`${one.kind}-${one.id}-${one.as}`}>
                <a href={placeUrl(one)}>{one.label}</a> · {one.as}
              </li>
            ))}
          </ul>
          <p className={css.quiet}>
            {t('To delete it, choose another greeting in these places first.')}
          </p>
        </>
      )}
    </Modal>
  );
}
